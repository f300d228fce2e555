import { INPUT, OVERRIDE } from '../scenario/files.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import { surfaceOf } from '../surfaces/surfaces.ts'

/** Checks that files are UTF-8 without a byte order mark, with LF line endings. What is copied into a run may contain anything. */
export function checkText(files: ScenarioFiles['files'], report: ReportFault): void {
  for (const [path, content] of files) {
    const surface = surfaceOf(path)
    if (surface ? surface.files.binary : path !== INPUT && path !== OVERRIDE) continue
    if (typeof content !== 'string') {
      report(path, 'is not UTF-8 text')
      continue
    }
    if (content.startsWith('\uFEFF')) report(path, 'begins with a byte order mark; save it as UTF-8 without one', 1)
    const first = content.indexOf('\r\n')
    if (first !== -1) report(path, CRLF, content.slice(0, first).split('\n').length)
  }
}

const CRLF =
  'has a CRLF line ending; fixtures use LF. "__fixtures__/** text eol=lf" in .gitattributes keeps Git from changing them'
