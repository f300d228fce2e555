import { parseJsonText } from '@acp-snapshot/json-text'
import type { Transcript } from 'jest-serializer-acp'
import type { FinishedRun } from '../run/finished-run.ts'
import { andMore, type ReportFault } from '../scenario/report-fault.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { linesOf, textOf } from '../scenario/tree.ts'
import { UsageError } from '../usage-error.ts'
import { firstDifference } from './first-difference.ts'
import type { Mismatch } from './mismatch.ts'
import type { Surface } from './surface.ts'
import { TRANSCRIPT } from './transcript-file.cjs'

/** What the agent wrote to stdout, and the step during which each frame came, from 1. */
interface SteppedTranscript {
  transcript: Transcript
  frameSteps: readonly number[]
}

/** What the editor received, frame by frame. */
export const transcript: Surface<SteppedTranscript> = {
  title: 'transcript',
  files: { label: TRANSCRIPT, has: (path) => path === TRANSCRIPT, streamed: true },
  writtenBy: ['update', 'refresh', 'record'],
  createdWhenMissing: true,

  check({ files, present, complete, command }, report) {
    if (complete && !present.has(TRANSCRIPT)) report(TRANSCRIPT, `is missing; ${command} writes it`)
    const text = textOf(files, TRANSCRIPT)
    if (text !== undefined) checkLines(text, report)
  },

  collect: ({ transcript, frameSteps }: FinishedRun) => ({ transcript, frameSteps }),

  print: ({ transcript }, { serialize }) => new Map([[TRANSCRIPT, requireJsonLines(serialize(transcript))]]),

  compare({ frameSteps }, { scenario, expected, printed }) {
    const [before, now] = [expected.get(TRANSCRIPT), printed.get(TRANSCRIPT)]
    if (before === now || typeof now !== 'string') return undefined
    if (before === undefined) return missing(scenario)
    return mismatch(scenario, frameSteps, String(before), now)
  },
}

function missing({ command, dir }: Scenario): Mismatch {
  const what = `${TRANSCRIPT} is missing, and --ci writes none. To create it: ${command(dir)}`
  return { headline: what, showsStderr: false }
}

function mismatch(scenario: Scenario, steps: readonly number[], expected: string, got: string): Mismatch | undefined {
  const difference = firstDifference(expected, got)
  if (!difference) return undefined
  const { line } = difference
  return {
    headline: `the transcript differs from ${TRANSCRIPT}`,
    first: { place: framePlace(scenario, steps, line), difference },
    texts: { expected, got },
    showsStderr: true,
    next: isTrailing(line, expected, got) ? TRAILING : `If this is wanted: ${scenario.command(scenario.dir, '-u')}`,
  }
}

const TRAILING =
  'This frame comes after the last response, where nothing says how long to wait for it: it may come in one run and not in ' +
  'the next. Wait for it with a step (waitForUpdate, or settle at the end), or raise deadlines.quietMs in ' +
  'testEnvironmentOptions.acp. Then compare again'

/** Where a line of the transcript stands: the frame, and the step during which it came. */
function framePlace({ input }: Scenario, steps: readonly number[], line: number): string {
  const step = steps[line]
  if (step === undefined) return `frame ${line + 1} (after the last one that came)`
  return `frame ${line + 1} (step ${step}, ${input.steps[step - 1]?.op ?? 'start'})`
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
    const frame: unknown = JSON.parse(text)
    return typeof frame === 'object' && frame !== null && 'id' in frame && !('method' in frame)
  } catch {
    return false
  }
}

/** Each line is JSON, as on the wire. @throws UsageError where the project has no serializer for it */
function requireJsonLines(text: string): string {
  for (const [i, line] of text.trimEnd().split('\n').entries()) {
    if (isJson(line)) continue
    const hint = "add snapshotSerializers: ['jest-serializer-acp/plugin'] to the Jest config"
    throw new UsageError(`line ${i + 1} of the transcript is not JSON; ${hint}`)
  }
  return `${text.trimEnd()}\n`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** So many lines that are not JSON are named one by one: a file of another kind has a fault on every line. */
const MOST_LINES = 10

/** Each line must be JSON. A message quotes one character at most: a golden may hold what must not be printed in CI. */
function checkLines(text: string, report: ReportFault): void {
  if (text === '') report(TRANSCRIPT, EMPTY)
  const found = linesOf(text).flatMap((line, i) => {
    const read = parseJsonText(line)
    return 'problem' in read ? [{ ...read, line: i + 1 }] : []
  })
  for (const { problem, line, column } of found.slice(0, MOST_LINES)) {
    report(TRANSCRIPT, `${problem}; each line of a transcript is one value`, line, column)
  }
  const more = found[MOST_LINES]
  if (more) report(TRANSCRIPT, `${more.problem}${andMore(found.length - MOST_LINES)}`, more.line, more.column)
}

const EMPTY = "is empty; a transcript has at least the agent's answer to initialize. Remove it, and it is written anew"
