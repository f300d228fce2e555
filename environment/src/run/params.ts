import { inspect } from '../scenario-error.ts'

/** The params of a request, before they are checked. */
export type Params = Record<string, unknown>

/** Params that do not fit the method. The client answers with the error "Invalid params". */
export class InvalidParamsError extends Error {
  override name = 'InvalidParamsError'
}

/** A number that counts something. @returns `undefined` if it is left out or null @throws InvalidParamsError */
export function countIn(params: Params, name: string): number | undefined {
  const value = params[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw new InvalidParamsError(`${name} is not a whole number from 0 up: ${inspect(value)}`)
}
