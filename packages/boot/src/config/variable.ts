import { ConfigError } from './config-error.ts'

/** An environment variable that a config names: `!env NAME`, or `!env [NAME, default]`. */
export class Variable {
  readonly name: string
  readonly fallback: string | undefined

  constructor(name: string, fallback?: string) {
    this.name = name
    this.fallback = fallback
  }
}

/** Replaces each variable in a config by its value. @throws ConfigError that names a variable that is not set */
export function resolveVariables(value: unknown, env: NodeJS.ProcessEnv, where: string): unknown {
  if (value instanceof Variable) {
    const found = env[value.name] ?? value.fallback
    if (found === undefined)
      throw new ConfigError(`${where} needs the environment variable ${value.name}, which is not set`)
    return found
  }
  if (Array.isArray(value)) return value.map((item) => resolveVariables(item, env, where))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveVariables(item, env, where)]))
}
