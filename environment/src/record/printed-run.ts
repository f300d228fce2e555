import type { FixtureChanges } from '../guard/check-changes.ts'
import type { ScenarioRun } from '../run/finished-run.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { PrintedFiles, PrintTools, Surface } from '../surfaces/surface.ts'

/** A run with one captured value for each surface. */
export type SurfaceRun = ScenarioRun<Surface>

/** One surface of a run, with its files from the run (`printed`) and from the fixture (`expected`). */
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

/** The changes that make the fixture's files of these surfaces equal to the printed ones. */
export function changesOf(surfaces: readonly PrintedSurface[]): FixtureChanges {
  const gone = surfaces.flatMap(({ printed, expected }) => [...expected.keys()].filter((path) => !printed.has(path)))
  return new Map([
    ...surfaces.flatMap(({ printed }) => [...printed]),
    ...gone.map((path) => [path, undefined] as const),
  ])
}

/** Whether two file contents are equal. */
export function isSame(a: string | Uint8Array | undefined, b: string | Uint8Array | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return Buffer.compare(a, b) === 0
}

/** Whether the printed files of a surface differ from those of the fixture. */
export function differs({ printed, expected }: PrintedSurface): boolean {
  return [...new Set([...printed.keys(), ...expected.keys()])].some(
    (path) => !isSame(printed.get(path), expected.get(path)),
  )
}

function filesOf({ files }: Surface, scenario: Scenario): PrintedFiles {
  return new Map([...scenario.files].filter(([path]) => files.has(path)))
}
