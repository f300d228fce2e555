import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { isRecord } from 'jest-environment-acp/client'
import { runScenario } from 'jest-environment-acp/run'
import { normalizeSessionLogs, normalizeTranscript } from 'jest-serializer-acp'
import { agentOptions } from './example-agent.ts'
import { withFixture } from './fixture.ts'
import { jsonLines, NO_TIMEOUT, recordingDir, withRecordings } from './recordings.ts'

/** The recordings that use no tool except bash. */
const RECORDINGS = [
  'handshake',
  'reject-extra-dirs',
  'text-turn',
  'multi-turn',
  'tool-call-turn',
  'cancel',
  'error-finish',
]

withRecordings(() => {
  test.each(RECORDINGS)(
    'our agent, replaying %s, sends the recorded frames and persists the recorded log',
    async (recording) => {
      const run = await withFixture(recording, (scenario) =>
        runScenario(scenario, agentOptions, { signal: new AbortController().signal }),
      )
      const { volatile } = run
      const { frames } = run.transcript
      const recorded = (file: string) => readFileSync(join(recordingDir(recording), file), 'utf8')

      const sent = jsonLines(normalizeTranscript(frames, volatile).join('\n'))
      expect(sent.map(frameLine)).toEqual(jsonLines(recorded('stdout.golden.jsonl')).map(frameLine))

      const persisted = normalizeSessionLogs(
        run.logs.map(({ text }) => text),
        volatile,
      ).map(logLines)
      const expected = logLines(normalizeSessionLogs([recorded('session.jsonl')])[0] ?? '')
      // A log without events only completes the fixture.
      expect(persisted.filter((log) => log.length > 1)).toEqual(expected.length > 1 ? [expected] : [])
    },
    NO_TIMEOUT,
  )
})

/** The keys whose values differ between agents, by the part of the frame. */
const OWN_WORDS = {
  result: ['agentInfo', 'agentCapabilities', 'configOptions'],
  error: ['message'],
  update: ['rawInput'],
}

const ONE_LINE = {
  sorted: true,
  compact: true,
  depth: null,
  breakLength: Number.POSITIVE_INFINITY,
  maxStringLength: null,
  maxArrayLength: null,
}

/** A frame as one line, without those keys. Key order is not significant in JSON. */
function frameLine(frame: unknown): string {
  if (!isRecord(frame)) throw new Error(`not a frame: ${JSON.stringify(frame)}`)
  const { result, error, params } = frame
  const said = {
    ...frame,
    ...(isRecord(result) && { result: omit(result, OWN_WORDS.result) }),
    ...(isRecord(error) && { error: omit(error, OWN_WORDS.error) }),
    ...(isRecord(params) &&
      isRecord(params.update) && { params: { ...params, update: omit(params.update, OWN_WORDS.update) } }),
  }
  return inspect(said, ONE_LINE)
}

function omit(value: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** The lines of a log, without the content of its request headers. */
function logLines(log: string): string[] {
  return jsonLines(log).map((line) => {
    if (!isRecord(line) || line.type !== 'request/header' || !isRecord(line.data)) return JSON.stringify(line)
    return JSON.stringify({ ...line, data: { ...line.data, header: '…' } })
  })
}
