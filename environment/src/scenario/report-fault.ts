/** Reports a fault of a scenario: the path in its directory, the problem, and line and column from 1. */
export type ReportFault = (path: string, message: string, line?: number, column?: number) => void

/** The message of an error without its leading place, because a fault has its own. */
export function problemOf(error: Error, place: string): string {
  const prefix = `${place}: `
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message
}

/** The note that more lines have the same fault. */
export function andMore(lines: number): string {
  if (lines < 2) return ''
  return ` (and on ${lines - 1} more line${lines === 2 ? '' : 's'})`
}
