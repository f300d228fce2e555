export const name = 'no-luck'

/** Throws before it provides the service that others wait for. */
export function apply() {
  throw new Error('no luck to give')
}
