import { escapeLine } from '../escape-controls.ts'

/** A fault of a fixture. `file` is a path as one would type it in a shell; `line` and `column` count from 1. */
export interface FixtureFault {
  file: string
  line?: number | undefined
  /** Present only with a line. */
  column?: number | undefined
  message: string
}

/** The limit of a quote: a file may contain megabytes. */
const LONGEST_MESSAGE = 2000

/** Fixtures that cannot be used. The message lists every fault, numbered. */
export class FixtureError extends Error {
  override name = 'FixtureError'
  readonly faults: readonly FixtureFault[]

  constructor(faults: readonly FixtureFault[]) {
    super(`the fixture guard found ${count(faults.length, 'fault')}:\n${printFaults(faults)}`)
    this.faults = faults
  }
}

/** Prints faults as a numbered list, one per line: `  1. <file>:<line>: <message>`. */
export function printFaults(faults: readonly FixtureFault[]): string {
  const width = String(faults.length).length
  return faults.map((fault, i) => `  ${String(i + 1).padStart(width)}. ${printFault(fault)}`).join('\n')
}

/** Orders faults by file, then line; faults of one line keep their order. */
export function sortFaults(faults: readonly FixtureFault[]): FixtureFault[] {
  return [...faults].sort((a, b) => compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0))
}

/** `1 fault`, `2 faults`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** The beginning of a long text, and its length. */
export function inBrief(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text
}

function printFault({ file, line, column, message }: FixtureFault): string {
  const place = [line, column].map((n) => (n === undefined ? '' : `:${n}`)).join('')
  return `${escapeLine(file)}${place}: ${escapeLine(inBrief(message, LONGEST_MESSAGE))}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
