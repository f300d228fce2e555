import { join } from 'node:path'

const AGENTS = join(__dirname, '..', 'agents')

/** The path of one of the small agents in `agents/`, each with one fault or habit. @param name without `.mjs` */
export function agentFile(name: string): string {
  return join(AGENTS, `${name}.mjs`)
}
