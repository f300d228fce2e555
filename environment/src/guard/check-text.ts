import { INPUT, OVERRIDE } from '../scenario/files.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import { surfaceOf } from '../surfaces/surfaces.ts'

/** Checks that what we read is plain UTF-8 with LF line ends. A workspace may hold anything. */
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
  'has a CRLF line end; fixtures have LF. "__fixtures__/** text eol=lf" in .gitattributes keeps a checkout from changing them'
