import { pathToFileURL } from 'node:url'
import { normalizeSessionLogs } from 'jest-serializer-acp'
import * as z from 'zod'
import { UsageError } from '../usage-error.ts'
import { importModule } from './import-module.cjs'
import { type Log, type LogFormat, LogFormatError } from './log-format.ts'

/**
 * The exports of a consumer's module, by name or as the default export: they read and print the session logs of an agent.
 * The environment normalises the records, numbers the sessions, and compares the result of `print`.
 */
export interface LogModule {
  /** The extension of a log, `jsonl` when left out: the agent's files with it are logs, and so is `session.<extension>`. */
  extension?: string | undefined
  /** Which of the agent's files are logs, when the extension does not say it. @param path below `{{sessions}}`, with `/` */
  isLog?: ((path: string) => unknown) | undefined
  /** Reads the text of a log, of the agent or of a fixture. Throws for a text that is not a log. */
  parse: (text: string) => unknown
  /** The text of a log: {@link parse} reads it. If left out, one JSON value per line. */
  print?: ((log: LogRecords) => unknown) | undefined
}

/** A log, as `parse` returns it and `print` takes it. */
export type LogRecords = z.infer<typeof logRecords>

const logRecords = z.object({
  /** The id of the session, and of the session that started it. */
  id: z.string().optional(),
  parent: z.string().optional(),
  /** When the session was created, in milliseconds. */
  createdAt: z.number().optional(),
  /** The content of the log, as JSON values. */
  records: z.array(z.json()),
})

const functionSchema = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function')

const moduleSchema = z.object({
  extension: z
    .string()
    .regex(/^[A-Za-z]\w*$/, 'must be the extension of a file, as in "json"')
    .default('jsonl'),
  isLog: functionSchema<(path: string) => unknown>().optional(),
  parse: functionSchema<(text: string) => unknown>(),
  print: functionSchema<(log: LogRecords) => unknown>().optional(),
}) satisfies z.ZodType<LogModule>

/** Loads a consumer's module. @throws UsageError that names the module, if it cannot be used */
export async function importFormat(file: string): Promise<LogFormat> {
  const exported = await importModule(pathToFileURL(file).href).catch((error: unknown) => {
    throw new UsageError(`${where(file)} cannot be loaded: ${messageOf(error)}`)
  })
  return logFormatOf(exported, file)
}

/** The format for a module's exports. @throws UsageError that names the module, if they cannot be used */
export function logFormatOf(exported: unknown, file: string): LogFormat {
  const { default: main, ...named } = z.record(z.string(), z.unknown()).parse({ ...toObject(exported) })
  const result = moduleSchema.safeParse({ ...named, ...toObject(main) })
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => `export ${path.join('.')}: ${message}`)
    throw new UsageError(`${where(file)} cannot be used: ${problems.join('; ')}`)
  }
  return toFormat(result.data, file)
}

function toFormat(
  { extension, isLog, parse, print = printLines }: z.output<typeof moduleSchema>,
  file: string,
): LogFormat {
  const read = (text: string): LogRecords => {
    const result = logRecords.safeParse(attempt(() => parse(text)))
    if (result.success) return result.data
    const [issue] = result.error.issues
    throw new UsageError(`${where(file)}: parse returned no log: ${issue?.path.join('.')} ${issue?.message}`)
  }
  const write = (log: LogRecords): string => {
    const text = print(log)
    if (typeof text !== 'string') throw new UsageError(`${where(file)}: print returned no string`)
    return text
  }
  return {
    exists: true,
    extension,
    isLog: (path) => (isLog ? isLog(path) === true : path.endsWith(`.${extension}`)),
    parse: (text) => describeLog(read(text)),
    hasEvents: (text) => read(text).records.length > 0,
    normalize(texts, volatile) {
      const lines = normalizeSessionLogs(texts.map(read).map(toLines), volatile)
      return lines.map(fromLines).map(write)
    },
  }
}

function describeLog({ id, parent, createdAt }: LogRecords): Log {
  return { id, parent, createdAt, told: [], holdsModel: false }
}

/** The header comes before the records, so that session ids become tokens in the records too. */
function toLines({ id, parent, createdAt, records }: LogRecords): string {
  const header = { type: 'session', id, parentSession: parent, createdAt }
  return [header, ...records].map((value) => `${JSON.stringify(value)}\n`).join('')
}

function fromLines(text: string): LogRecords {
  const [header, ...records] = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  const { id, parentSession: parent, createdAt } = headerSchema.parse(header)
  return logRecords.parse({ id, parent, createdAt, records })
}

const headerSchema = z.object({
  id: z.string().optional(),
  parentSession: z.string().optional(),
  createdAt: z.number().optional(),
})

function printLines({ records }: LogRecords): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    const line = typeof error === 'object' && error !== null && 'line' in error ? error.line : undefined
    throw new LogFormatError(messageOf(error), typeof line === 'number' ? line : undefined)
  }
}

function where(file: string): string {
  return `the log format ${file}`
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
