import { parseJsonText } from '@acp-snapshot/json-text'
import { sourcesOfLines, type Transcript } from 'jest-serializer-acp'
import type { FinishedRun } from '../run/finished-run.ts'
import { andMore, type ReportFault } from '../scenario/report-fault.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { linesOf, textOf } from '../scenario/tree.ts'
import { UsageError } from '../usage-error.ts'
import { firstDifference } from './first-difference.ts'
import type { Mismatch } from './mismatch.ts'
import type { Surface } from './surface.ts'
import { TRANSCRIPT } from './transcript-file.cjs'

/** The agent's stdout, and the step during which each frame came, from 1. */
interface SteppedTranscript {
  transcript: Transcript
  frameSteps: readonly number[]
}

/** Every frame that the editor received. */
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

  compare({ transcript, frameSteps }, { scenario, expected, printed }) {
    const [before, now] = [expected.get(TRANSCRIPT), printed.get(TRANSCRIPT)]
    if (before === now || typeof now !== 'string') return undefined
    if (before === undefined) return missing(scenario)
    const { frames, volatile } = transcript
    const stepsOfLines = sourcesOfLines(frames, volatile).map(([first = -1]) => frameSteps[first])
    return mismatch(scenario, stepsOfLines, String(before), now)
  },
}

function missing({ command, dir }: Scenario): Mismatch {
  const what = `${TRANSCRIPT} is missing, and --ci writes none. To create it: ${command(dir)}`
  return { headline: what, showsStderr: false }
}

function mismatch(
  scenario: Scenario,
  steps: readonly (number | undefined)[],
  expected: string,
  got: string,
): Mismatch | undefined {
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
  'This frame comes after the last response, so the run cannot know how long to wait for it, and the frame may be missing in ' +
  'the next run. Wait for it with a step (waitForUpdate, or settle at the end), or raise settleMs in ' +
  'testEnvironmentOptions.acp. Then compare again'

/** The place of a transcript line for messages: the frame, and the step during which it came. */
function framePlace({ input }: Scenario, steps: readonly (number | undefined)[], line: number): string {
  const step = steps[line]
  if (step === undefined) return `frame ${line + 1} (after the last frame received)`
  return `frame ${line + 1} (step ${step}, ${input.steps[step - 1]?.op ?? 'start'})`
}

/** Whether a difference is after the last response of both transcripts, and their numbers of frames differ. */
export function isTrailing(line: number, expected: string, actual: string): boolean {
  const [before, now] = [expected, actual].map((text) => text.trimEnd().split('\n'))
  if (!before || !now || before.length === now.length) return false
  return [before, now].every((lines) => line > lines.findLastIndex(isResponse))
}

/** Returns false for a line that is not JSON: a golden may have been edited. */
function isResponse(text: string): boolean {
  try {
    const frame: unknown = JSON.parse(text)
    return typeof frame === 'object' && frame !== null && 'id' in frame && !('method' in frame)
  } catch {
    return false
  }
}

/** Checks that each line is JSON. @throws UsageError when the project lacks the serializer */
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

/** At most so many lines that are not JSON are reported: a file of another kind has a fault on every line. */
const MOST_LINES = 10

/** Checks that each line is JSON. Messages quote at most one character: a golden may contain a secret. */
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

const EMPTY =
  "is empty; a transcript has at least the agent's answer to initialize. Remove the file, and a run writes it again"
