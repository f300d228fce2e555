import { isOfRun, POSIX_TEMP_PATH } from '../scenario/data-paths.ts'
import { INPUT } from '../scenario/files.ts'
import type { ScenarioInput } from '../scenario/input/parse-input.ts'
import { andMore, type ReportFault } from '../scenario/report-fault.ts'
import { linesOf, type ScenarioFiles, textOf } from '../scenario/tree.ts'
import type { CheckedFixture } from '../surfaces/surface.ts'
import { surfaceOf } from '../surfaces/surfaces.ts'
import { TRANSCRIPT } from '../surfaces/transcript-file.cjs'

const TEMP_PATH = new RegExp(
  [
    POSIX_TEMP_PATH,
    String.raw`\b[A-Za-z]:[\\/]{1,8}Users[\\/]{1,8}[^\\/"]{1,255}[\\/]{1,8}AppData[\\/]{1,8}Local[\\/]{1,8}Temp\b`,
  ].join('|'),
  'gi',
)

/** A name in a temp directory whose random part is already replaced by a token. */
const RANDOM_NAME = /^(?:\/private)?\/(?:var\/)?tmp\/[^/]*\{\{tempName(?:\.\d+)?\}\}/

const ADVICE =
  'it changes on every run; use {{cwd}} or {{home}}. ' +
  'If the user or the model chose this path, list it in "dataPaths" of input.json'

/**
 * Checks that no compared file contains a path into a temp directory, because it changes on every run. Paths that the user
 * or the model chose, and paths below them, are data and allowed.
 */
export function checkVolatile({ files, data, action, logs, logFormat }: CheckedFixture, report: ReportFault): void {
  if (action === 'refresh' || action === 'record') return
  const spelled = data.flatMap((path) => [...new Set([path, inJson(path)])])
  for (const path of comparedFiles(files)) {
    const checkedLines = logs.has(path) ? (logFormat.headerLines ?? 0) : 0
    const found = linesOf(textOf(files, path) ?? '').flatMap((line, i) => {
      if (i < checkedLines) return []
      const match = [...line.matchAll(TEMP_PATH)].find((match) => !isData(line, match, spelled))
      return match ? [{ text: match[0], line: i + 1 }] : []
    })
    if (!found[0]) continue
    const { text, line } = found[0]
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
    report(path, `holds a path into a temp directory, ${shown}${andMore(found.length)}; ${ADVICE}`, line)
  }
}

function comparedFiles(files: ScenarioFiles['files']): string[] {
  return [...files.keys()].filter((path) => surfaceOf(path) !== undefined)
}

/**
 * Checks `"dataPaths"`: each entry is a path into a temp directory, is not a path of a run, and is used.
 *
 * @param files every file, including those that the run will overwrite
 */
export function checkDataPaths(
  files: ScenarioFiles['files'],
  { input: { dataPaths }, action }: CheckedFixture & { input: ScenarioInput },
  report: ReportFault,
): void {
  const lines = linesOf(textOf(files, INPUT) ?? '')
  const compared = comparedFiles(files)
  // An unused entry is a fault. Without the transcript, it is not known yet.
  const mustBeUsed = action === 'verify' && files.has(TRANSCRIPT)
  const texts = compared.map((path) => textOf(files, path) ?? '')
  for (const [i, path] of dataPaths.entries()) {
    const line = lines.findIndex((line) => line.includes(JSON.stringify(path))) + 1
    const say = (problem: string) => report(INPUT, `"dataPaths[${i}]" ${problem}`, line === 0 ? undefined : line)
    if (isOfRun(path)) say(`is a path of a run, ${path}; it changes on every run, so use {{cwd}}`)
    else if (path.search(TEMP_PATH) !== 0) say(`is not a path into a temp directory, ${path}; list only such paths`)
    else if (dataPaths.indexOf(path) < i) say(`is listed twice, ${path}`)
    else if (mustBeUsed && !texts.some((text) => text.includes(path) || text.includes(inJson(path)))) {
      say(`is unused, ${path}; no log and no golden of this scenario holds it, so remove it`)
    }
  }
}

function isData(line: string, { 0: found, index }: RegExpExecArray, data: readonly string[]): boolean {
  if (isOfRun(found)) return false
  if (RANDOM_NAME.test(found)) return true
  const without = /^\/private(?=\/)/.exec(found)?.[0].length ?? 0
  return [index, index + without].some((at) => data.some((path) => hasPathAt(line, path, at)))
}

/** Whether a line has the path, or a path below it, at an offset: a longer last name does not match. */
function hasPathAt(line: string, path: string, at: number): boolean {
  return line.startsWith(path, at) && !/^(?:[\w~+@-]|\.+[\w-])/.test(line.slice(at + path.length, at + path.length + 8))
}

function inJson(path: string): string {
  return JSON.stringify(path).slice(1, -1)
}
