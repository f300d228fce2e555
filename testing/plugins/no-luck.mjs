export const name = 'no-luck'

/** Throws before it provides what others wait for. */
export function apply() {
  throw new Error('no luck to give')
}
