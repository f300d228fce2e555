import { INPUT, isOfSeed, OVERRIDE, SEEDS } from '../scenario/files.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import type { CheckedFixture } from '../surfaces/surface.ts'
import { surfaceOf, surfaces } from '../surfaces/surfaces.ts'

/** Checks that `input.json` exists and that no file is unknown. Each surface checks its own required files. */
export function checkLayout({ present }: CheckedFixture, report: ReportFault): void {
  if (!present.has(INPUT)) report(INPUT, 'is missing; each directory here is a scenario, and this file is its script')
  for (const path of present) {
    if (!isKnown(path)) report(path, `unknown file; a scenario has ${KNOWN_FILES}`)
  }
}

/** Reports known files that cannot be read, even when the run will overwrite them. Unknown files: {@link checkLayout}. */
export function checkUnread(
  { directories = new Set(), refused = new Map() }: ScenarioFiles,
  report: ReportFault,
): void {
  for (const [path, problem] of refused) {
    if (isKnown(path) || isKnownDirectory(path) || path === '') report(path, problem)
  }
  for (const path of directories) {
    if (isInPlaceOfFile(path)) report(path, 'is a directory, not a regular file')
  }
}

/** The names of all files, including unreadable ones, which are not missing. */
export function presentFiles({ files, directories = new Set(), refused = new Map() }: ScenarioFiles): Set<string> {
  const unread = [...refused.keys()].filter((path) => path !== '' && !isKnownDirectory(path))
  return new Set([...files.keys(), ...unread, ...[...directories].filter(isInPlaceOfFile)])
}

/** The files that a scenario may have, for messages. */
export const KNOWN_FILES = [
  INPUT,
  OVERRIDE,
  ...SEEDS.map((seed) => `${seed}/`),
  ...surfaces.map(({ files }) => files.label),
].join(', ')

function isKnown(path: string): boolean {
  return path === INPUT || path === OVERRIDE || isOfSeed(path) || surfaceOf(path) !== undefined
}

/** Whether a directory of this name may contain files of a scenario. */
function isKnownDirectory(path: string): boolean {
  return path !== '' && isKnown(`${path}/x`)
}

function isInPlaceOfFile(path: string): boolean {
  return !path.includes('/') && isKnown(path)
}
