/** Something that the person who started Jest has to fix: an option, a flag, a variable. One line where possible. */
export class UsageError extends Error {
  override name = 'UsageError'

  constructor(message: string) {
    super(message)
    withoutStack(this)
  }
}

/**
 * Takes the stack from an error whose cause is not in our code: Jest would show lines of ours beside it.
 * Jest takes all that stands before the first line of a stack for the message, and leaves out a line like this one.
 */
export function withoutStack<E extends Error>(error: E): E {
  error.stack = `${error.name}: ${error.message}\n    at <anonymous>:1:1`
  return error
}
