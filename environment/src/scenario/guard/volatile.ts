import { roleOf } from '../files.ts'
import { linesOf, type ScenarioFiles, textOf } from '../tree.ts'
import { PATH_START } from './paths.ts'
import { andMore, type Report } from './report.ts'

const TEMP_PATH = new RegExp(
  [
    String.raw`${PATH_START}(?:/private)?/(?:tmp|var/tmp|var/folders)/[^\s"'<>\\]+`,
    String.raw`\b[A-Za-z]:[\\/]+Users[\\/]+[^\\/"]+[\\/]+AppData[\\/]+Local[\\/]+Temp\b`,
  ].join('|'),
  'i',
)

const ADVICE = 'it is another one in every run, and a fixture has {{cwd}} or {{home}} there'

/** Checks that no log and no golden holds a path into a temp directory: it is another one in the next run. */
export function checkVolatile(files: ScenarioFiles['files'], report: Report): void {
  for (const path of files.keys()) {
    const role = roleOf(path)
    if (role !== 'log' && role !== 'golden' && role !== 'system pin' && role !== 'tools pin') continue
    const found = linesOf(textOf(files, path) ?? '').flatMap((line, i) => {
      const match = TEMP_PATH.exec(line)
      const isHeader = role === 'log' && i === 0
      return match && !isHeader ? [{ text: match[0], line: i + 1 }] : []
    })
    if (!found[0]) continue
    const { text, line } = found[0]
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
    report(path, `holds a path into a temp directory, ${shown}${andMore(found.length)}; ${ADVICE}`, line)
  }
}
