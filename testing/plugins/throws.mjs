export const name = 'throws'

export function apply() {
  throw new Error('out of luck,\n  and of words')
}
