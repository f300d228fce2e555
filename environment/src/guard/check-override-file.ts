import { checkOverride } from '../logs/override.ts'
import { OVERRIDE } from '../scenario/files.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import { forbiddenWithout, requireJson } from '../scenario/require-json.ts'
import { textOf } from '../scenario/tree.ts'
import type { CheckedFixture } from '../surfaces/surface.ts'

/**
 * Checks the hand-written model script: it exists if and only if `input.json` says `"overridden": true`.
 *
 * @returns the number of model calls that it answers
 */
export function checkOverrideFile({ input, files, present }: CheckedFixture, report: ReportFault): number {
  if (input?.overridden && !present.has(OVERRIDE)) {
    report(OVERRIDE, 'is missing; input.json says "overridden": true, so the model script must be here')
  }
  if (input && !input.overridden && present.has(OVERRIDE)) report(OVERRIDE, forbiddenWithout('overridden'))
  const text = textOf(files, OVERRIDE)
  return text !== undefined && requireJson(OVERRIDE, text, report) ? checkOverride(text, report) : 0
}
