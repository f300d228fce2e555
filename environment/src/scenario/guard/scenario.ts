import type { ParsedLog, ReplayEntry } from '@acp-snapshot/session'
import { FixtureError, type FixtureFault } from '../fault.ts'
import { type FileRole, INPUT, roleOf } from '../files.ts'
import { parseInput, type ScenarioInput } from '../input.ts'
import { type ScenarioFiles, textOf } from '../tree.ts'
import { checkGoldens } from './goldens.ts'
import { checkHeaders } from './headers.ts'
import { checkLayout } from './layout.ts'
import { readLogs } from './logs.ts'
import type { GuardOptions, Run } from './options.ts'
import { readScripts } from './scripts.ts'
import { checkSecrets } from './secrets.ts'
import { checkText } from './text.ts'
import { checkVolatile } from './volatile.ts'

/** What the guard made of one scenario. `input` is absent when it cannot be read. */
export interface Inspection {
  name: string
  faults: readonly FixtureFault[]
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
  const report = (path: string, message: string, line?: number) => {
    faults.push({ file: `${directory}/${path}`, message, ...(line !== undefined && { line }) })
  }
  const input = readInput(scenario.files, `${directory}/${INPUT}`, faults)
  const run = runOf(input, options.run)
  const needsLog = !(options.createsLog || options.sessionLogs === false)
  checkLayout(scenario, { input, run, needsLog, complete: options.complete === true }, report)

  const files = new Map([...scenario.files].filter(([path]) => !REWRITTEN[run].some((role) => role === roleOf(path))))
  checkText(files, report)
  checkSecrets(files, options.secrets, report)
  checkGoldens(files, report)
  const logs = readLogs(files, report)
  const scripts = readScripts(files, logs, input, report)
  if (run === 'replay' || run === 'update') {
    checkHeaders(logs, report)
    checkVolatile(files, report)
  }
  return { name: scenario.name, faults, input, logs: [...logs.values()], scripts }
}

function readInput(files: ScenarioFiles['files'], file: string, faults: FixtureFault[]): ScenarioInput | undefined {
  const text = textOf(files, INPUT)
  if (text === undefined) return undefined
  try {
    return parseInput(text, file)
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    faults.push(...error.faults)
    return undefined
  }
}

/** An overridden scenario is authored, so a recording replays it. */
function runOf(input: ScenarioInput | undefined, run: Run = 'replay'): Run {
  return run === 'record' && input?.overridden ? 'replay' : run
}
