import { escapeControls } from '../escape-controls.ts'

/** One thing wrong with a fixture. `file` is as a person in the shell would name it; `line` counts from 1. */
export interface FixtureFault {
  file: string
  line?: number | undefined
  message: string
}

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

function printFault({ file, line, message }: FixtureFault): string {
  return escapeControls(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
