import type { Difference } from './first-difference.ts'

/** How a run differs from its fixture. */
export interface Mismatch {
  /** What differs, as in `the transcript differs from stdout.golden.jsonl`. */
  headline: string
  /** The first difference, and where it is in the reader's words. */
  first?: { place: string; difference: Difference } | undefined
  /** The texts that differ, for a diff. */
  texts?: { expected: string; got: string } | undefined
  /** Whether the agent's stderr may explain it. */
  showsStderr: boolean
  /** What to do next, where the headline does not say it. */
  next?: string | undefined
}
