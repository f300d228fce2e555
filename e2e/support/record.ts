import { readFileSync } from 'node:fs'
import { type LlmServer, parseScript, type ScriptAnswer, startLlmServer } from '@acp-snapshot/llm-server'

export const KEY = 'test-key-of-e2e'

type ServerOptions = Parameters<typeof startLlmServer>[0]

/** Starts the provider, and closes it after `use`. */
export async function withServer<T>(options: ServerOptions, use: (server: LlmServer) => Promise<T>): Promise<T> {
  const server = await startLlmServer(options)
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

/** The variables for a recording against a provider. */
export function recordEnv({ url }: Pick<LlmServer, 'url'>): Record<string, string> {
  return { RECORD: '1', DEEPSEEK_API_KEY: KEY, DEEPSEEK_BASE_URL: url }
}

/** The provider's script for recording a scenario of the example agent. */
export function providerScript(scenario: string): ScriptAnswer[] {
  const file = require.resolve(`acp-agent-example/provider/${scenario}`)
  return parseScript(readFileSync(file, 'utf8'), file)
}
