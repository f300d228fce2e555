import { align } from './alignment.ts'
import { leavesOf, shapeOf } from './leaves.ts'

/** A value that is not the same in all runs. */
export interface Difference {
  /** The frame in the first run that has it, from 1. */
  readonly frame: number
  /** Empty when the frame itself is missing in a run. */
  readonly pointer: string
  /** The value in each run, as JSON; `undefined` where the frame is missing. */
  readonly values: readonly (string | undefined)[]
}

/** What differs between normalised transcripts of one scenario: frames of another shape, then single values. */
export function differencesOf(runs: readonly (readonly string[])[]): {
  missing: Difference[]
  values: Difference[]
} {
  const rows = align(runs.map((frames) => frames.map(shapeOf)))
  const missing: Difference[] = []
  const values: Difference[] = []
  for (const row of rows) {
    const frames = row.map((at, run) => (at === undefined ? undefined : runs[run]?.[at]))
    const frame = (row.find((at) => at !== undefined) ?? 0) + 1
    if (frames.includes(undefined)) missing.push({ frame, pointer: '', values: frames })
    else if (new Set(frames).size > 1) values.push(...leafDifferences(frame, frames.map(String)))
  }
  return { missing, values }
}

function leafDifferences(frame: number, frames: readonly string[]): Difference[] {
  const [first = [], ...others] = frames.map(leavesOf)
  const found = first.flatMap(({ pointer, value }, i) => {
    const values = [value, ...others.map((leaves) => leaves[i]?.value)].map((value) => JSON.stringify(value))
    return new Set(values).size > 1 ? [{ frame, pointer, values }] : []
  })
  // The order of keys, a duplicate key, or the spelling of a number.
  return found.length > 0 ? found : [{ frame, pointer: '', values: frames }]
}

/** How many words of the values differ from the first one. It gets smaller when a rule covers a part of a text. */
export function differingWords(values: Difference['values']): number {
  const [first = new Map<string, number>(), ...others] = values.map((value) => countWords(value ?? ''))
  return others.reduce((sum, other) => {
    const words = new Set([...first.keys(), ...other.keys()])
    return [...words].reduce((sum, word) => sum + Math.abs((first.get(word) ?? 0) - (other.get(word) ?? 0)), sum)
  }, 1)
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.match(/[0-9A-Za-z]+/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
