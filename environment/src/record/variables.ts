import { parseEnv } from 'node:util'
import { readRegularText } from '../io/regular-file.ts'
import { UsageError } from '../usage-error.ts'

const LONGEST_ENV_FILE = 1024 * 1024

/** Which variables of the host a recording passes to the agent. */
interface RecordVariables {
  envFile?: string | undefined
  requires: readonly string[]
  passes: readonly string[]
}

/**
 * The variables that the live agent gets: from the host, otherwise from the `.env` file.
 *
 * @throws UsageError that names the missing required variables, in one line
 */
export function recordEnv(
  { envFile, requires, passes }: RecordVariables,
  host: NodeJS.ProcessEnv,
): Record<string, string> {
  const file = fileEnv(envFile)
  const find = (name: string) => host[name] || file[name]
  const missing = requires.filter((name) => !find(name))
  if (missing.length > 0) {
    const where = envFile === undefined ? 'in the environment' : `in the environment or in ${envFile}`
    throw new UsageError(`RECORD=1 needs ${missing.join(', ')}, set ${where}`)
  }
  return Object.fromEntries([...requires, ...passes].flatMap((name) => entry(name, find(name))))
}

/** The variables of a `.env` file; none when there is no such file. */
export function fileEnv(envFile: string | undefined): NodeJS.ProcessEnv {
  const text = envFile === undefined ? undefined : readRegularText(envFile, { maxBytes: LONGEST_ENV_FILE })
  return text === undefined ? {} : parseEnv(text)
}

function entry(name: string, value: string | undefined): [string, string][] {
  return value ? [[name, value]] : []
}
