import type { ScenarioRun } from '../run/run-scenario.ts'

/** Where a line of the transcript stands: the frame, and the step during which it came. */
export function framePlace(run: ScenarioRun, line: number): string {
  const step = run.frameSteps[line]
  if (step === undefined) return `frame ${line + 1} (after the last one that came)`
  return `frame ${line + 1} (step ${step}, ${run.scenario.input.steps[step - 1]?.op ?? 'start'})`
}

/** Whether a difference lies behind the last response of both transcripts, and one of them has more frames there. */
export function isTrailing(line: number, expected: string, actual: string): boolean {
  const [before, now] = [expected, actual].map((text) => text.trimEnd().split('\n'))
  if (!before || !now || before.length === now.length) return false
  return [before, now].every((lines) => line > lines.findLastIndex(isResponse))
}

/** A golden that was edited may hold a line that is not JSON. */
function isResponse(text: string): boolean {
  try {
    const frame = parse(text)
    return 'id' in frame && !('method' in frame)
  } catch {
    return false
  }
}

/** Where a line of a log stands: line, event, turn and step, as far as it says. */
export function eventPlace(file: string, line: number, text: string | undefined): string {
  const at = `${file}:${line + 1}`
  const { type, data } = parse(text)
  if (typeof type !== 'string') return at
  const { turn, step } = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  const where = [type, ...(turn === undefined ? [] : [`turn ${turn}`]), ...(step === undefined ? [] : [`step ${step}`])]
  return `${at} (${where.join(', ')})`
}

function parse(text: string | undefined): Record<string, unknown> {
  const value: unknown = text ? JSON.parse(text) : {}
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
