import type { ReportFault } from '../scenario/report-fault.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import { type FoundText, isOpaque, reportFinds, type Source, sourcesOf } from './check-secrets.ts'
import { findIn, placeOf } from './find-secrets.ts'
import { type Reading, readingsOf } from './reading.ts'
import { REVOKE, SHAPES } from './shapes.ts'

/** A find of a rule: the index of the text, the offsets of the find, and the rule's name. */
export interface RuleFind {
  text: number
  start: number
  end: number
  rule: string
}

/** Searches texts with an external rule set. */
export type SearchByRules = (texts: readonly string[]) => RuleFind[]

/**
 * Searches for secrets with an external rule set, in the same texts as our own shapes, and reports only what these do
 * not find. All scenarios go into one search, because a search is slow to start.
 *
 * @param reportFor returns the function that reports a scenario's faults
 * @returns the secrets that were found, which no message may quote
 */
export function checkByRules(
  scenarios: readonly ScenarioFiles[],
  { search, isStreamed }: { search: SearchByRules; isStreamed: (path: string) => boolean },
  reportFor: (scenario: string) => ReportFault,
): FoundText[] {
  const searched = scenarios.flatMap(({ name, files }) =>
    sourcesOf({ name, files: readable(files) }, isStreamed).map((source) => ({
      source,
      report: reportFor(name),
      readings: source.readings.flatMap(readingsOf),
    })),
  )
  const finds = search(searched.flatMap(({ readings }) => readings.map(({ text }) => text)))
  let first = 0
  return searched.flatMap(({ source, report, readings }) => {
    const [from, to] = [first, first + readings.length]
    first = to
    const own = finds
      .filter(({ text }) => text >= from && text < to)
      .map((find) => ({ ...find, text: find.text - from }))
    return own.length > 0 ? reportNew(source, own, readings, report) : []
  })
}

/** The files that are text. The guard lists the others. */
function readable(files: ScenarioFiles['files']): ScenarioFiles['files'] {
  return new Map([...files].filter(([, content]) => !isOpaque(content)))
}

/** Reports the finds that do not overlap a find of our own shapes. */
function reportNew(
  source: Source,
  finds: readonly RuleFind[],
  readings: readonly Reading[],
  report: ReportFault,
): FoundText[] {
  const ours = source.readings.flatMap((reading) => findIn(reading, SHAPES))
  const found = finds.flatMap(({ text, start, end, rule }) => {
    const reading = readings[text]
    if (!reading || end <= start) return []
    const place = placeOf(reading, start, end)
    if (ours.some((own) => own.start < place.end && place.start < own.end)) return []
    return [{ what: `a secret (secretlint: ${rule})`, start: place.start, text: reading.text.slice(start, end) }]
  })
  for (const what of new Set(found.map((find) => find.what))) {
    const alike = found.filter((find) => find.what === what)
    reportFinds(source, what, REVOKE, alike, report)
  }
  return found
}
