import { jestCommand } from '../command/hint.ts'
import { acpSnapshotLogs } from '../logs/acp-snapshot.ts'
import { dataPathsOf } from '../scenario/data-paths.ts'
import { FixtureError, type FixtureFault } from '../scenario/fault.ts'
import { INPUT } from '../scenario/files.ts'
import { parseInput, type ScenarioInput } from '../scenario/input/parse-input.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import { type ScenarioFiles, textOf } from '../scenario/tree.ts'
import { checkSecrets, type FoundText } from '../secrets/check-secrets.ts'
import { readLogs } from '../surfaces/session-logs.ts'
import type { CheckedFixture, InspectedScenario } from '../surfaces/surface.ts'
import { isStreamed, isWrittenAnew, surfaces } from '../surfaces/surfaces.ts'
import { checkLayout, checkUnread, presentFiles } from './check-layout.ts'
import { checkOverrideFile } from './check-override-file.ts'
import { checkText } from './check-text.ts'
import { checkDataPaths, checkVolatile } from './check-volatile.ts'
import type { GuardOptions } from './guard-options.ts'

/** The guard's result for one scenario. */
export interface Inspection extends InspectedScenario {
  faults: readonly FixtureFault[]
  /** The secrets in its files, which no message may quote. */
  found: readonly FoundText[]
  /** Whether the fixture has answers of the model to replay. */
  isRecorded: boolean
}

/** Checks one scenario without looking at the others. */
export function inspectScenario(root: string, scenario: ScenarioFiles, options: GuardOptions): Inspection {
  const { name } = scenario
  const faults: FixtureFault[] = []
  const report: ReportFault = (path, message, line, column) => {
    faults.push({ file: `${root}/${name}/${path}`, message, line, column })
  }
  const input = readInput(scenario.files, `${root}/${name}/${INPUT}`, faults)
  const { action = 'verify', command = jestCommand(), logFormat = acpSnapshotLogs } = options
  const { createsMissing = false, complete = false } = options
  checkUnread(scenario, report)
  const files = new Map([...scenario.files].filter(([path]) => !isWrittenAnew(path, action)))
  checkText(files, report)
  const found = checkSecrets({ name, files }, options.secrets, isStreamed, report)
  const logs = readLogs(files, logFormat, report)
  const fixture: CheckedFixture = {
    input,
    files,
    present: presentFiles(scenario),
    logs,
    logFormat,
    action,
    createsMissing,
    complete,
    command: command(`${root}/${name}`),
    data: input ? dataPathsOf(input) : [],
  }
  checkLayout(fixture, report)
  const entries = checkOverrideFile(fixture, report)
  for (const surface of surfaces) surface.check(fixture, report)
  checkVolatile(fixture, report)
  if (input) checkDataPaths(scenario.files, { ...fixture, input }, report)
  const all = [...logs.values()]
  return {
    name,
    faults,
    found,
    input,
    callsModel: all.some(({ told }) => told.length > 0),
    isRecorded: input?.overridden ? entries > 0 : all.some(({ holdsModel }) => holdsModel),
  }
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
