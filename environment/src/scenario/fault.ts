import { escapeLine } from '../escape-controls.ts'

/** One thing wrong with a fixture. `file` is as a person in the shell would name it; `line` and `column` count from 1. */
export interface FixtureFault {
  file: string
  line?: number | undefined
  /** Only with a line. */
  column?: number | undefined
  message: string
}

/** A message quotes what a file holds, and that may be megabytes. */
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

/** Prints faults as a numbered list, one a line: `  1. <file>:<line>: <message>`. */
export function printFaults(faults: readonly FixtureFault[]): string {
  const width = String(faults.length).length
  return faults.map((fault, i) => `  ${String(i + 1).padStart(width)}. ${printFault(fault)}`).join('\n')
}

/** Orders faults by file, then line; those of one line stay as they were found. */
export function sortFaults(faults: readonly FixtureFault[]): FixtureFault[] {
  return [...faults].sort((a, b) => compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0))
}

/** `1 fault`, `2 faults`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** The beginning of a long text, with a mark that says how long it is. */
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
