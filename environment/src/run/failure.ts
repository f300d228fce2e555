import { escapeControls } from '../escape-controls.ts'

/** A frame of the agent, and the step during which it came, from 1; 0 is before the first step. */
export interface RunFrame {
  text: string
  step: number
}

/** What a failure message is made from. */
export interface Failure {
  scenario: string
  /** Where the run failed: `step 3 (prompt)`. */
  place: string
  error: unknown
  /** The failures that `llm-replay` reported: the cause, when the agent hides it. */
  replay: readonly string[]
  frames: readonly RunFrame[]
  stderr: string
  /** The requests that the client refused, see {@link describeRefused}. */
  refused: readonly string[]
}

const LAST_FRAMES = 5
const STDERR_LINES = 40
const REFUSED_LINES = 20
const LINE_LENGTH = 400

/** The message of a failed run: the place, expected and got, the last frames, the agent's stderr. */
export function describeFailure({ scenario, place, error, replay, frames, stderr, refused }: Failure): string {
  const message = error instanceof Error ? error.message : String(error)
  const told = replay.length > 0 ? [['The replay failed too:', ...replay.map((line) => `  ${line}`)].join('\n')] : []
  const parts = [
    `scenario ${scenario}, ${place}: ${message}`,
    ...told,
    ...describeRefused(refused),
    describeFrames(frames),
    describeStderr(stderr),
  ]
  return escapeControls(parts.join('\n\n'))
}

/** Which requests of the agent the client answered with "Method not found": often the cause of what follows. */
export function describeRefused(refused: readonly string[]): string[] {
  if (refused.length === 0) return []
  const lines = refused.slice(0, REFUSED_LINES).map((line) => `  ${capLine(escapeControls(line))}`)
  const more = refused.length > REFUSED_LINES ? [`  … and ${refused.length - REFUSED_LINES} more`] : []
  return [['The client refused requests of the agent (-32601, "Method not found"):', ...lines, ...more].join('\n')]
}

/** The last lines of the agent's stderr, or a note that it wrote none. */
export function describeStderr(stderr: string): string {
  const lines = stderr.trimEnd().split('\n')
  if (stderr.trim() === '') return 'The agent wrote nothing to stderr.'
  const cut = lines.length - STDERR_LINES
  return [
    'stderr of the agent:',
    ...(cut > 0 ? [`  … ${cut} earlier lines`] : []),
    // The bar keeps Jest from taking a stack trace here for the failure's own and cutting the message there.
    ...lines.slice(-STDERR_LINES).map((line) => `  | ${capLine(escapeControls(line))}`),
  ].join('\n')
}

function describeFrames(frames: readonly RunFrame[]): string {
  if (frames.length === 0) return 'The agent sent no frames.'
  const last = frames.slice(-LAST_FRAMES).map(({ text, step }) => `  ${capLine(`step ${step}: ${text}`)}`)
  return [`The last of ${frames.length} frames:`, ...last].join('\n')
}

function capLine(line: string): string {
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line
}
