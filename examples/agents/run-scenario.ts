import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseScript, type ScriptAnswer, startLlmServer } from '@acp-snapshot/llm-server'
import { runCommand } from './run-command.ts'

interface ScenarioRun {
  /** The directory of the agent. */
  dir: string
  scenario: string
  /** Whether it writes the goldens. */
  update: boolean
}

const ROOT = join(__dirname, '..', '..')
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js')

/**
 * Runs one scenario in a Jest of its own, with a model server of its own.
 *
 * @returns what went wrong, if anything did: with the model's script, with a request of the agent, or in Jest
 */
export async function runScenario(
  { dir, scenario, update }: ScenarioRun,
  stop: AbortSignal,
): Promise<string | undefined> {
  const file = join(dir, 'model', `${scenario}.json`)
  let script: ScriptAnswer[]
  try {
    script = existsSync(file) ? parseScript(readFileSync(file, 'utf8'), file) : []
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const refused: string[] = []
  // A refresh runs the scenario twice: it replays what it is about to write.
  const server = await startLlmServer({
    script: update ? [...script, ...script] : script,
    warn: (line) => refused.push(line),
  })
  try {
    const args = [
      JEST,
      join(dir, '__fixtures__', scenario, '/'),
      ...['--config', join(dir, 'jest.config.mjs')],
      ...(update ? [] : ['--ci']),
    ]
    const env = { ...process.env, MODEL_URL: server.url, ...(update && { REFRESH: '1' }) }
    const { code, output } = await runCommand(process.execPath, args, ROOT, stop, env)
    const untaken = server.untaken.map((place) => `${file}: no request took answer ${place} (counted from 0)`)
    // The likely cause comes first: it is what the table shows.
    const problems = [...refused, ...(code === 0 ? [] : [output]), ...untaken]
    return problems.length === 0 ? undefined : problems.join('\n')
  } finally {
    await server.close()
  }
}
