import { checkOverride } from '../logs/override.ts'
import { OVERRIDE } from '../scenario/files.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import { forbiddenWithout, requireJson } from '../scenario/require-json.ts'
import { textOf } from '../scenario/tree.ts'
import type { CheckedFixture } from '../surfaces/surface.ts'

/**
 * Checks the model script that was written by hand: there is one where `input.json` says so, and nowhere else.
 *
 * @returns how many model calls it serves
 */
export function checkOverrideFile({ input, files, present }: CheckedFixture, report: ReportFault): number {
  if (input?.overridden && !present.has(OVERRIDE)) {
    report(OVERRIDE, 'is missing; input.json says "overridden": true, so the model script must be here')
  }
  if (input && !input.overridden && present.has(OVERRIDE)) report(OVERRIDE, forbiddenWithout('overridden'))
  const text = textOf(files, OVERRIDE)
  return text !== undefined && requireJson(OVERRIDE, text, report) ? checkOverride(text, report) : 0
}
