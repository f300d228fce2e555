export const name = 'needy'
export const inject = ['tools', 'luck']

export function apply() {}
