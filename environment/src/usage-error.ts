/** A mistake in an option, a flag or a variable, which the person who started Jest must fix. One line where possible. */
export class UsageError extends Error {
  override name = 'UsageError'

  constructor(message: string) {
    super(message)
    withoutStack(this)
  }
}

/**
 * Removes the stack of an error whose cause is not in our code; Jest would show our source lines with it. Jest prints
 * everything before the first stack line as the message, and omits a stack line like this one.
 */
export function withoutStack<E extends Error>(error: E): E {
  error.stack = `${error.name}: ${error.message}\n    at <anonymous>:1:1`
  return error
}
