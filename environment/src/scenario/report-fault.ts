/** Takes a fault of a scenario: the path inside its directory, what is wrong, and line and column, from 1. */
export type ReportFault = (path: string, message: string, line?: number, column?: number) => void

/** The message of an error without the place at its beginning, which a fault names by itself. */
export function problemOf(error: Error, place: string): string {
  const prefix = `${place}: `
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message
}

/** Says that what was found on one line is on more lines too. */
export function andMore(lines: number): string {
  if (lines < 2) return ''
  return ` (and on ${lines - 1} more line${lines === 2 ? '' : 's'})`
}
