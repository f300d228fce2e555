import * as z from 'zod'

/**
 * One line of the replay report, the file in which `llm-replay` reports to the environment. A failure in it counts even
 * if the agent hides the error. `session` is the ordinal of a session in the run (0 is the first one), `entry` is the
 * index of a replay entry in the script of that session, and `entries` is the length of the script.
 */
export type ReplayReportLine =
  | { type: 'script'; session: number; entries: number }
  | { type: 'opened'; session: number; sessionId: string }
  | { type: 'served'; session: number; entry: number; turn: number; step: number }
  | { type: 'failed'; message: string }

const natural = z.number().int().nonnegative()

const line: z.ZodType<ReplayReportLine> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('script'), session: natural, entries: natural }),
  z.strictObject({ type: z.literal('opened'), session: natural, sessionId: z.string() }),
  z.strictObject({ type: z.literal('served'), session: natural, entry: natural, turn: natural, step: natural }),
  z.strictObject({ type: z.literal('failed'), message: z.string() }),
])

/** Parses a replay report. Its last line must end with a newline. @throws Error that names the line */
export function parseReplayReport(text: string): ReplayReportLine[] {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error(`replay report: line ${lines.length + 1} is torn: it has no newline`)
  return lines.map((text, i) => {
    try {
      return line.parse(JSON.parse(text))
    } catch (error) {
      throw new Error(`replay report: line ${i + 1} is not one of its lines: ${text.slice(0, 80)}`, { cause: error })
    }
  })
}
