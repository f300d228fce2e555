import type { Action } from '../action.cjs'
import { describeMismatch } from '../surfaces/describe-mismatch.ts'
import type { PrintTools } from '../surfaces/surface.ts'
import { differs, type PrintedSurface, printRun, type SurfaceRun } from './printed-run.ts'
import { type WriteOptions, writeSurfaces } from './write.ts'

/** The result for one surface of a run: `added` and `updated` mean that its files were written. */
export type Outcome = { title: string; countsAsSnapshot: boolean } & (
  | { verdict: 'matches' | 'added' | 'updated' }
  | { verdict: 'differs'; message: string; expected?: string | undefined; actual?: string | undefined }
)

/** What the matchers provide: Jest's serializers, and its diff of two texts. */
export interface JudgeTools extends PrintTools {
  diff(expected: string, got: string): string | null
}

interface JudgeOptions {
  action: Action
  /** Whether missing files may be written. */
  createsMissing: boolean
  writing: WriteOptions
}

/**
 * Compares each surface of a replay with the fixture, and writes the files that the action may write: all or none.
 * Files that the guard refuses are not written, and the result is a failure.
 */
export function judgeRun(run: SurfaceRun, options: JudgeOptions, tools: JudgeTools): Outcome[] {
  const all = printRun(run, tools)
  const written = all.filter((printed) => isWritten(printed, options))
  const refusal = written.length > 0 ? attempt(() => writeSurfaces(run, written, options.writing)) : undefined
  return all.map((printed) => {
    if (!written.includes(printed)) return compare(run, printed, tools)
    const base = baseOf(printed)
    if (refusal === undefined) return { ...base, verdict: printed.expected.size === 0 ? 'added' : 'updated' }
    // The surfaces are written together, so only the first one reports the refusal.
    return written[0] === printed ? { ...base, verdict: 'differs', message: refusal } : { ...base, verdict: 'matches' }
  })
}

function isWritten(surface: PrintedSurface, { action, createsMissing }: JudgeOptions): boolean {
  const { writtenBy, createdWhenMissing } = surface.surface
  if (writtenBy.includes(action)) return differs(surface)
  return createdWhenMissing && createsMissing && surface.expected.size === 0 && surface.printed.size > 0
}

function compare(run: SurfaceRun, { surface, value, printed, expected }: PrintedSurface, tools: JudgeTools): Outcome {
  const base = baseOf({ surface })
  const { scenario, stderr, refused, withoutSecrets } = run
  const mismatch = surface.compare(value, { scenario, expected, printed })
  if (!mismatch) return { ...base, verdict: 'matches' }
  const { texts } = mismatch
  const message = describeMismatch(mismatch, { scenario: scenario.name, stderr, refused, diff: tools.diff })
  const [expectedText, actual] = [texts?.expected, texts?.got].map((text) => text && withoutSecrets(text))
  return { ...base, verdict: 'differs', message: withoutSecrets(message), expected: expectedText, actual }
}

/** Jest counts the surfaces that `-u` writes as snapshots. */
function baseOf({ surface: { title, writtenBy } }: Pick<PrintedSurface, 'surface'>) {
  return { title, countsAsSnapshot: writtenBy.includes('update') }
}

function attempt(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
