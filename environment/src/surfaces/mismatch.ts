import type { Difference } from './first-difference.ts'

/** How a run differs from its fixture. */
export interface Mismatch {
  /** What differs: `the transcript differs from stdout.golden.jsonl`. */
  headline: string
  /** The first difference, and its place for the message: `frame 3 (step 2, prompt)`. */
  first?: { place: string; difference: Difference } | undefined
  /** The texts that differ, for a diff. */
  texts?: { expected: string; got: string } | undefined
  /** Whether the agent's stderr may explain it. */
  showsStderr: boolean
  /** What to do next, if the headline does not say it. */
  next?: string | undefined
}
