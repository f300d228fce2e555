import 'no-such-library'

export const name = 'broken'

export function apply() {}
