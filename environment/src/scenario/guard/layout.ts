import {
  FILE_NAMES,
  GOLDEN,
  INPUT,
  LOG,
  logName,
  logOrdinal,
  OVERRIDE,
  roleOf,
  SYSTEM_PIN,
  TOOLS_PIN,
} from '../files.ts'
import type { ScenarioInput } from '../input.ts'
import type { ScenarioFiles } from '../tree.ts'
import type { Run } from './options.ts'
import type { Report } from './report.ts'

/** What decides which files there must be. */
interface Claims {
  input: ScenarioInput | undefined
  run: Run
  /** Whether `session.jsonl` must be there. */
  needsLog: boolean
  complete: boolean
  /** The command that runs this scenario. */
  jest: string
}

/** Checks which files are there: those that must be, those that the flags of `input.json` forbid, those that are unknown. */
export function checkLayout({ files }: Pick<ScenarioFiles, 'files'>, claims: Claims, report: Report): void {
  if (!files.has(INPUT)) report(INPUT, 'is missing; each directory here is a scenario, and this file is its script')
  for (const path of files.keys()) {
    if (!roleOf(path)) report(path, `unknown file; a scenario has ${FILE_NAMES}`)
  }
  checkLogs(files, claims, report)
  if (claims.complete && !files.has(GOLDEN)) report(GOLDEN, `is missing; ${claims.jest} writes it`)
  if (claims.input) checkFlags(files, claims.input, claims, report)
}

function checkLogs(files: ScenarioFiles['files'], { input, run, needsLog, jest }: Claims, report: Report): void {
  if (run === 'record') return
  const ordinals = new Set([...files.keys()].filter((path) => roleOf(path) === 'log').map(logOrdinal))
  const last = [...ordinals].reduce((most, ordinal) => Math.max(most, ordinal), 0)
  if (!ordinals.has(0) && needsLog && run !== 'refresh') {
    report(LOG, `is missing; ${flagForLog(input)}${jest} writes it`)
  }
  let gaps = 0
  for (let i = 1; i < last && gaps < MOST_GAPS; i++) {
    if (ordinals.has(i)) continue
    gaps++
    report(logName(i), `is missing; ${logName(last)} is there, and logs are numbered without a gap`)
  }
}

/** What stands before the command that writes a missing log: a scenario that calls no model needs nothing. */
function flagForLog(input: ScenarioInput | undefined): string {
  if (input?.overridden) return 'REFRESH=1 '
  const prompts = input?.steps.some(({ op }) => op.startsWith('prompt')) ?? true
  return prompts ? 'RECORD=1 ' : ''
}

/** So many missing logs are named: the last one may be called session.300000000.jsonl. */
const MOST_GAPS = 10

function checkFlags(files: ScenarioFiles['files'], input: ScenarioInput, { run, jest }: Claims, report: Report): void {
  if (input.overridden && !files.has(OVERRIDE)) {
    report(OVERRIDE, 'is missing; input.json says "overridden": true, so the model script must be here')
  }
  if (!input.overridden && files.has(OVERRIDE)) report(OVERRIDE, forbidden('overridden'))
  for (const pin of [SYSTEM_PIN, TOOLS_PIN]) {
    if (!input.pinsHeader && files.has(pin)) report(pin, forbidden('pinsHeader'))
    if (input.pinsHeader && !files.has(pin) && (run === 'replay' || run === 'update')) {
      report(pin, `is missing; input.json says "pinsHeader": true. REFRESH=1 ${jest} writes it`)
    }
  }
}

function forbidden(flag: string): string {
  return `may not be here: input.json does not say ${JSON.stringify(flag)}: true`
}
