import type { ParsedLog, ReplayEntry } from '@acp-snapshot/session'
import { jestCommand } from '../../command/hint.ts'
import { dataPathsOf } from '../data-paths.ts'
import { FixtureError, type FixtureFault } from '../fault.ts'
import { type FileRole, GOLDEN, INPUT, OVERRIDE, roleOf, WORKSPACE } from '../files.ts'
import { parseInput, type ScenarioInput } from '../input.ts'
import { type ScenarioFiles, textOf } from '../tree.ts'
import { checkArguments } from './arguments.ts'
import { checkJson } from './goldens.ts'
import { checkHeaders } from './headers.ts'
import { checkLayout } from './layout.ts'
import { readLogs } from './logs.ts'
import type { GuardOptions, Run } from './options.ts'
import type { Report } from './report.ts'
import { readScripts } from './scripts.ts'
import { checkSecrets, type FoundText } from './secrets/check.ts'
import { checkText } from './text.ts'
import { checkDataPaths, checkVolatile } from './volatile.ts'

/** What the guard made of one scenario. `input` is absent when it cannot be read. */
export interface Inspection {
  name: string
  faults: readonly FixtureFault[]
  /** The secrets that its files hold, which no message may quote. */
  found: readonly FoundText[]
  input?: ScenarioInput | undefined
  logs: readonly ParsedLog[]
  /** The model script of each session, by ordinal; empty before a recording. */
  scripts: ReplayEntry[][]
}

/** What each run writes anew: the guard does not look at what is there. */
const REWRITTEN: { readonly [R in Run]: readonly FileRole[] } = {
  replay: [],
  update: ['golden'],
  refresh: ['golden', 'system pin', 'tools pin'],
  record: ['golden', 'system pin', 'tools pin', 'log'],
}

/** Checks all that one scenario shows by itself. */
export function inspectScenario(root: string, scenario: ScenarioFiles, options: GuardOptions): Inspection {
  const directory = `${root}/${scenario.name}`
  const faults: FixtureFault[] = []
  const report: Report = (path, message, line, column) => {
    faults.push({ file: `${directory}/${path}`, message, line, column })
  }
  const input = readInput(scenario.files, `${directory}/${INPUT}`, faults)
  const run = runOf(input, options.run)
  const { complete = false, command = jestCommand() } = options
  const needsLog = !(options.createsLog || options.sessionLogs === false)
  checkRefused(scenario, report)
  checkLayout(present(scenario), { input, run, needsLog, complete, jest: command(directory) }, report)

  const files = new Map([...scenario.files].filter(([path]) => !REWRITTEN[run].some((role) => role === roleOf(path))))
  checkText(files, report)
  const found = checkSecrets({ name: scenario.name, files }, options.secrets, report)
  const broken = checkJson(files, report)
  const logs = readLogs(files, report)
  const scripts = readScripts(new Map([...files].filter(([path]) => !broken.has(path))), logs, input, report)
  checkArguments(logs, files.has(OVERRIDE) ? scripts : [], report)
  if (run === 'replay' || run === 'update') {
    const data = input ? dataPathsOf(input) : []
    checkHeaders(logs, data, report)
    checkVolatile(files, data, report)
  }
  if (input) checkDataPaths(scenario.files, input, run === 'replay' && files.has(GOLDEN), report)
  return { name: scenario.name, faults, found, input, logs: [...logs.values()], scripts }
}

/** A file that cannot be read is a fault, even if the run is about to write it. An unknown file is reported elsewhere. */
function checkRefused({ refused = new Map() }: ScenarioFiles, report: Report): void {
  for (const [path, problem] of refused) {
    if (roleOf(path) || path === WORKSPACE || path === '') report(path, problem)
  }
}

/** The files with those that cannot be read, which are not missing. */
function present({ name, files, refused = new Map() }: ScenarioFiles): ScenarioFiles {
  const unread = [...refused.keys()].filter((path) => path !== WORKSPACE && path !== '')
  return { name, files: new Map([...files, ...unread.map((path) => [path, ''] as const)]) }
}

function readInput(files: ScenarioFiles['files'], file: string, faults: FixtureFault[]): ScenarioInput | undefined {
  const text = textOf(files, INPUT)
  if (text === undefined) return undefined
  try {
    return parseInput(text, file)
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    for (const fault of error.faults) faults.push(fault)
    return undefined
  }
}

/** An overridden scenario is authored, so a recording replays it. */
function runOf(input: ScenarioInput | undefined, run: Run = 'replay'): Run {
  return run === 'record' && input?.overridden ? 'replay' : run
}
