import type { FixtureChanges } from '../guard/check-changes.ts'
import type { ScenarioRun } from '../run/finished-run.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { PrintedFiles, PrintTools, Surface } from '../surfaces/surface.ts'

/** A run as the environment makes it: with a value of each surface. */
export type SurfaceRun = ScenarioRun<Surface>

/** One surface of a run, beside what the fixture has of it. */
export interface PrintedSurface {
  surface: Surface
  value: unknown
  printed: PrintedFiles
  expected: PrintedFiles
}

/** Prints each surface of a run. */
export function printRun({ scenario, captures }: SurfaceRun, tools: PrintTools): PrintedSurface[] {
  return captures.map(({ surface, value }) => ({
    surface,
    value,
    printed: surface.print(value, tools),
    expected: filesOf(surface, scenario),
  }))
}

/** What must be written so that the fixture has what was printed, and no other file of these surfaces. */
export function changesOf(surfaces: readonly PrintedSurface[]): FixtureChanges {
  const gone = surfaces.flatMap(({ printed, expected }) => [...expected.keys()].filter((path) => !printed.has(path)))
  return new Map([
    ...surfaces.flatMap(({ printed }) => [...printed]),
    ...gone.map((path) => [path, undefined] as const),
  ])
}

/** Whether two contents of a file are the same. */
export function isSame(a: string | Uint8Array | undefined, b: string | Uint8Array | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return Buffer.compare(a, b) === 0
}

/** Whether the fixture has other files of the surface than those that were printed. */
export function differs({ printed, expected }: PrintedSurface): boolean {
  return [...new Set([...printed.keys(), ...expected.keys()])].some(
    (path) => !isSame(printed.get(path), expected.get(path)),
  )
}

function filesOf({ files }: Surface, scenario: Scenario): PrintedFiles {
  return new Map([...scenario.files].filter(([path]) => files.has(path)))
}
