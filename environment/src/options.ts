import * as z from 'zod'
import { normalizeKeys, normalizeSchema } from './normalize-options.ts'
import { fillPlaces, mapStrings, type Places } from './places.ts'
import { suggest } from './scenario/input/suggest.ts'
import { UsageError } from './usage-error.ts'

const text = z.record(z.string(), z.string())

const deadlines = z.strictObject({
  /** How long a step may take: an answer, an update, a turn. */
  stepMs: z.number().positive().default(30_000),
  /** How long the agent may take to exit, after the end of its stdin and again after SIGTERM. */
  exitMs: z.number().positive().default(5_000),
  /** How long a step may take while recording: a real model takes its time. */
  recordStepMs: z.number().positive().default(300_000),
})

const launch = {
  /** The agent's arguments. */
  args: z.array(z.string()).optional(),
  /** Variables for the agent, beside the few that it always gets. */
  env: text.optional(),
  /** A directory that is copied into the run's HOME, below the scenario's `home/`. */
  home: z.string().min(1).optional(),
}

const variableName = z.string().regex(/^[^=\0]+$/, 'must be the name of a variable, without a value')

const record = z.strictObject({
  ...launch,
  /** A file of variables, read for `requires` and `passes` alone; it need not exist. A variable of the host wins. */
  envFile: z.string().optional(),
  /** The host's variables that a recording needs: the key. */
  requires: z.array(z.string()).default([]),
  /** The host's variables that it passes on when they are set. */
  passes: z.array(z.string()).default([]),
})

const optionsSchema = z.strictObject({
  /** The program that is the agent under test. */
  command: z.string().min(1),
  ...launch,
  /** The host's variables that the agent gets when they are set, also in a replay. */
  passes: z.array(variableName).default([]),
  /**
   * How long nothing must come before the agent counts as settled: at the end of the run, before a restart, in a `settle`
   * step, and, if the option is set, after each turn.
   */
  settleMs: z.number().positive().optional(),
  /** Variants of the agent, by the name that a scenario's `"config"` gives. */
  configs: z.record(z.string(), z.strictObject({ ...launch, record: z.strictObject(launch).optional() })).default({}),
  /** How `RECORD=1` starts the agent, which then calls the real model. */
  record: record.prefault({}),
  /**
   * Whether the agent writes session logs to `{{sessions}}`, in the format of `packages/session`; or the path of a module
   * that reads another format.
   */
  sessionLogs: z.union([z.boolean(), z.string().min(1)], 'must be true, false or the path of a module').default(false),
  /**
   * How the run ends the agent: by the end of its stdin, after which it must exit with code 0; or also by SIGTERM, for an
   * agent that does not exit at the end of stdin.
   */
  exit: z.enum(['eof', 'sigterm']).default('eof'),
  /** The rules of normalising: those turned off and on, and the project's own. */
  normalize: normalizeSchema.prefault({}),
  deadlines: deadlines.prefault({}),
})

/**
 * `testEnvironmentOptions.acp`. In `command`, `args`, `home` and the values of `env`, `<rootDir>` stands for the project's
 * root. In `command`, `args`, the values of `env` and the files of `home`, `{{cwd}}`, `{{home}}`, `{{sessions}}`,
 * `{{tmp}}`, `{{report}}` and `{{fixture}}` stand for paths of the run, and `{{port}}`, `{{port.2}}` … for free ports.
 */
export type AcpOptions = z.infer<typeof optionsSchema>

/** `testEnvironmentOptions.acp` as a Jest config gives it, where most keys may be left out. */
export type AcpEnvironmentOptions = z.input<typeof optionsSchema>

/** What is run: a command line, and the variables of its own. */
export interface Launch {
  command: string
  args: string[]
  env: Record<string, string>
  /** The directory that seeds its HOME. */
  home?: string | undefined
}

/** `settleMs`, where the options leave it out. */
export const SETTLE_MS = 50

const EXAMPLE =
  "add testEnvironmentOptions: { acp: { command: 'node', args: ['<rootDir>/agent.mjs'] } } to the Jest config"

/** Reads `testEnvironmentOptions.acp`. @throws UsageError that lists what is wrong with it */
export function parseOptions(value: unknown, rootDir: string): AcpOptions {
  if (value === undefined) throw new UsageError(`testEnvironmentOptions.acp is missing: ${EXAMPLE}`)
  const result = optionsSchema.safeParse(value)
  if (!result.success) throw new UsageError(result.error.issues.map(describeIssue).join('\n'))
  const inRoot = (text: string) => text.replaceAll('<rootDir>', () => rootDir)
  return mapStrings(result.data, inRoot)
}

/**
 * The command line of one scenario. The options fill in what a variant leaves out; `record` overrides them in a live run.
 *
 * @throws UsageError for a `config` that the options do not have
 */
export function launchOf(
  options: AcpOptions,
  { config, live, places = {} }: { config: string | undefined; live: boolean; places?: Places },
): Launch {
  const variant: AcpOptions['configs'][string] | undefined = config === undefined ? {} : options.configs[config]
  if (!variant) {
    const known = Object.keys(options.configs).join(', ') || 'none'
    throw new UsageError(
      `"config": ${JSON.stringify(config)} is not in testEnvironmentOptions.acp.configs (there: ${known})`,
    )
  }
  const layers = live ? [options, options.record, variant, variant.record ?? {}] : [options, variant]
  const launch = {
    command: options.command,
    args: layers.findLast(({ args }) => args)?.args ?? [],
    env: Object.assign({}, ...layers.map(({ env }) => env)),
    home: layers.findLast(({ home }) => home)?.home,
  }
  return fillPlaces(launch, places)
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const at = ['testEnvironmentOptions.acp', ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(issue.path)
    return issue.keys.map((key) => `${at}.${key} is unknown${suggest(key, known)}`).join('\n')
  }
  if (issue.path.join() === 'command') return `${at} must be the program that is your agent, as in: ${EXAMPLE}`
  return `${at}: ${issue.message}`
}

/** The options of one object in the schema, as far as the path below `acp` names it. */
export function knownKeys(path: readonly PropertyKey[]): string[] {
  const [first, , third] = path
  if (first === 'normalize') return normalizeKeys(path.slice(1))
  if (path.length === 0) return Object.keys(optionsSchema.shape)
  if (first === 'deadlines') return Object.keys(deadlines.shape)
  if (first === 'record') return Object.keys(record.shape)
  return third === 'record' ? Object.keys(launch) : [...Object.keys(launch), 'record']
}
