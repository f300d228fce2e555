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
}

/** Checks which files are there: those that must be, those that the flags of `input.json` forbid, those that nobody reads. */
export function checkLayout({ name, files }: ScenarioFiles, claims: Claims, report: Report): void {
  if (!files.has(INPUT)) report(INPUT, 'is missing; each directory here is a scenario, and this file is its script')
  for (const path of files.keys()) {
    if (!roleOf(path)) report(path, `nobody reads this file; a scenario has ${FILE_NAMES}`)
  }
  checkLogs(name, files, claims, report)
  if (claims.complete && !files.has(GOLDEN)) report(GOLDEN, `is missing; ${jest(name)} writes it`)
  if (claims.input) checkFlags(name, files, claims.input, claims.run, report)
}

function checkLogs(
  name: string,
  files: ScenarioFiles['files'],
  { input, run, needsLog }: Claims,
  report: Report,
): void {
  if (run === 'record') return
  const ordinals = new Set([...files.keys()].filter((path) => roleOf(path) === 'log').map(logOrdinal))
  const last = Math.max(0, ...ordinals)
  if (!ordinals.has(0) && needsLog && run !== 'refresh')
    report(LOG, `is missing; ${howToMakeLog(name, input)} writes it`)
  for (let i = 1; i < last; i++) {
    if (!ordinals.has(i))
      report(logName(i), `is missing; ${logName(last)} is there, and logs are numbered without a gap`)
  }
}

function howToMakeLog(name: string, input: ScenarioInput | undefined): string {
  if (input?.overridden) return `REFRESH=1 ${jest(name)}`
  const prompts = input?.steps.some(({ op }) => op.startsWith('prompt')) ?? true
  return prompts ? `RECORD=1 ${jest(name)}` : jest(name)
}

function checkFlags(name: string, files: ScenarioFiles['files'], input: ScenarioInput, run: Run, report: Report): void {
  if (input.overridden && !files.has(OVERRIDE)) {
    report(OVERRIDE, 'is missing; input.json says "overridden": true, so the model script must be here')
  }
  if (!input.overridden && files.has(OVERRIDE)) report(OVERRIDE, forbidden('overridden'))
  for (const pin of [SYSTEM_PIN, TOOLS_PIN]) {
    if (!input.pinsHeader && files.has(pin)) report(pin, forbidden('pinsHeader'))
    if (input.pinsHeader && !files.has(pin) && (run === 'replay' || run === 'update')) {
      report(pin, `is missing; input.json says "pinsHeader": true. REFRESH=1 ${jest(name)} writes it`)
    }
  }
}

function forbidden(flag: string): string {
  return `may not be here: input.json does not say ${JSON.stringify(flag)}: true`
}

function jest(name: string): string {
  return `npx jest ${name} --selectProjects snapshot`
}
