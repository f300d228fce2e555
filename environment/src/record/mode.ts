import { parseEnv } from 'node:util'
import { readRegularText } from '../io/regular-file.ts'
import { UsageError } from '../usage-error.ts'

/** What a run does to the fixtures. `replay` reads them, `refresh` and `record` rewrite logs, goldens and pins. */
export type Mode = 'replay' | 'refresh' | 'record'

/** What of Jest's global config says whether anybody may write. */
interface WriteGuard {
  ci: boolean
  watch: boolean
  watchAll: boolean
}

/**
 * The mode that the environment asks for.
 *
 * @throws UsageError, one line, for a mode that is refused here: under `--ci` nothing is written, and under watch what is
 * written would start the next run
 */
export function readMode(env: NodeJS.ProcessEnv, { ci, watch, watchAll }: WriteGuard): Mode {
  const [record, refresh] = [isOn(env.RECORD), isOn(env.REFRESH)]
  if (!record && !refresh) return 'replay'
  const flag = record ? 'RECORD=1' : 'REFRESH=1'
  if (record && refresh) throw new UsageError('RECORD=1 and REFRESH=1 cannot be combined; set only one')
  if (ci)
    throw new UsageError(`${flag} is refused under --ci (or CI=true): it rewrites fixtures. Run it by hand, and commit`)
  if (watch || watchAll) throw new UsageError(`${flag} is refused under watch: what it writes would start the next run`)
  return record ? 'record' : 'refresh'
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0'
}

const LONGEST_ENV_FILE = 1024 * 1024

/** What of the host's variables a recording passes on to the agent. */
interface RecordVariables {
  envFile?: string | undefined
  requires: readonly string[]
  passes: readonly string[]
}

/**
 * The variables that the live agent gets: from the host, else from the `.env` file.
 *
 * @throws UsageError, one line, naming the ones that are required and not set
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
