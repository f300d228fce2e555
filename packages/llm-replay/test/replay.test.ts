import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LlmRequest } from '@acp-snapshot/llm'
import {
  type OverrideEntry,
  type ReplayEntry,
  type ReplayReportLine,
  SessionLog,
  type StreamChunk,
} from '@acp-snapshot/session'
import { begins, says } from '@acp-snapshot/testing/answers'
import { Replay } from '../src/replay.ts'
import { ReplayReport } from '../src/report-file.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'replay-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const report = () => new ReplayReport(join(dir, 'report.jsonl'))
const reported = (): ReplayReportLine[] => report().read()

/** A replay with one script for each session, as one process of the run creates it. */
function replayOf(...entries: OverrideEntry[][]): Replay {
  const scripts: ReplayEntry[][] = entries
  const lacks = (session: number) => `session ${session}'s script holds ${scripts[session]?.length ?? 0}`
  return new Replay({ entries: scripts, lacks }, report())
}

const open = (replay: Replay, ...ids: string[]) => {
  for (const id of ids) replay.open({ id, cwd: `/work/${id}`, log: logOf(id) })
}

/** The log of a session that holds only a request header. */
function logOf(id: string): SessionLog {
  const log = new SessionLog({ type: 'session', version: 0, id, createdAt: 0 })
  log.append('request/header', { header: { config: { model: 'm' }, tools: [] }, reason: 'initial' })
  return log
}

function request(sessionId: string, at: { turn?: number; step?: number; signal?: AbortSignal } = {}): LlmRequest {
  const { turn = 1, step = 1, signal = new AbortController().signal } = at
  return { sessionId, turn, step, signal, model: 'm', tools: [], messages: [] }
}

async function collect(stream: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

async function textOf(stream: AsyncIterable<StreamChunk>): Promise<string> {
  return (await collect(stream)).map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('')
}

test('serves the entries of a session in order, and reports each with its turn and step', async () => {
  const replay = replayOf([says('one'), says('two')])
  open(replay, 'a')
  await expect(textOf(replay.stream(request('a')))).resolves.toBe('one')
  await expect(textOf(replay.stream(request('a', { step: 2 })))).resolves.toBe('two')
  expect(reported()).toEqual([
    { type: 'script', session: 0, entries: 2 },
    { type: 'opened', session: 0, sessionId: 'a' },
    { type: 'served', session: 0, entry: 0, turn: 1, step: 1 },
    { type: 'served', session: 0, entry: 1, turn: 1, step: 2 },
  ])
})

test('serves each session its own script, in the order in which the sessions were opened', async () => {
  const replay = replayOf([says('for a')], [says('for b')])
  open(replay, 'a', 'b')
  await expect(textOf(replay.stream(request('b')))).resolves.toBe('for b')
  await expect(textOf(replay.stream(request('a')))).resolves.toBe('for a')
})

test('replaces {{cwd}} with the working directory of the session that makes the call', async () => {
  const replay = replayOf([says('{{cwd}}')], [says('{{cwd}}')])
  open(replay, 'a', 'b')
  await expect(textOf(replay.stream(request('b')))).resolves.toBe('/work/b')
  await expect(textOf(replay.stream(request('a')))).resolves.toBe('/work/a')
})

test('continues where the previous process stopped', async () => {
  const scripts = [[says('a 1'), says('a 2')], [says('b 1')]]
  const first = replayOf(...scripts)
  open(first, 'a', 'b')
  await collect(first.stream(request('a')))
  const second = replayOf(...scripts)
  open(second, 'b', 'a')
  await expect(textOf(second.stream(request('a')))).resolves.toBe('a 2')
  await expect(textOf(second.stream(request('b')))).resolves.toBe('b 1')
  expect(reported().filter(({ type }) => type === 'opened')).toHaveLength(2)
  expect(reported().filter(({ type }) => type === 'script')).toEqual([
    { type: 'script', session: 0, entries: 2 },
    { type: 'script', session: 1, entries: 1 },
  ])
})

describe('a call without an entry in the script', () => {
  const message = "replay: session 0, turn 3 step 2 asks for model call 2, but session 0's script holds 1"

  test('fails, and the report names its turn and step', async () => {
    const replay = replayOf([says('one')])
    open(replay, 'a')
    await collect(replay.stream(request('a')))
    const late = replay.stream(request('a', { turn: 3, step: 2 }))
    await expect(collect(late)).rejects.toMatchObject({ name: 'LlmError', code: 'REPLAY', message })
    expect(reported().at(-1)).toEqual({ type: 'failed', message })
  })

  test('fails for a session that has no script', async () => {
    const replay = replayOf([says('one')])
    open(replay, 'a', 'b')
    await expect(collect(replay.stream(request('b')))).rejects.toThrow(
      "session 1, turn 1 step 1 asks for model call 1, but session 1's script holds 0",
    )
  })

  test('fails for a session that was never opened', async () => {
    const replay = replayOf([says('one')])
    await expect(collect(replay.stream(request('x')))).rejects.toThrow('session x, turn 1 step 1 is not open')
    expect(reported().at(-1)).toMatchObject({ type: 'failed' })
  })
})

describe('a session with a stream in flight', () => {
  test('cannot start a second stream: the call fails, and is reported', async () => {
    const replay = replayOf([says('one'), says('two')])
    open(replay, 'a')
    const first = replay.stream(request('a'))
    await first.next()
    const message = 'replay: session 0, turn 1 step 2 asks for a model call while another one streams'
    await expect(collect(replay.stream(request('a', { step: 2 })))).rejects.toMatchObject({ code: 'REPLAY', message })
    expect(reported().at(-1)).toEqual({ type: 'failed', message })
    await expect(textOf(first)).resolves.toBe('one')
    await expect(textOf(replay.stream(request('a', { step: 2 })))).resolves.toBe('two')
  })

  test('can start the next stream when the reader of the first one stops', async () => {
    const replay = replayOf([says('one'), says('two')])
    open(replay, 'a')
    for await (const _ of replay.stream(request('a'))) break
    await expect(textOf(replay.stream(request('a')))).resolves.toBe('two')
  })

  test('does not block another session', async () => {
    const replay = replayOf([says('one')], [says('two')])
    open(replay, 'a', 'b')
    await replay.stream(request('a')).next()
    await expect(textOf(replay.stream(request('b')))).resolves.toBe('two')
  })
})

describe('an entry', () => {
  test('of kind throw serves its chunks first, then fails with its error', async () => {
    const replay = replayOf([
      { kind: 'throw', chunks: begins('Well,'), message: 'overloaded', code: 'SERVER', status: 503 },
    ])
    open(replay, 'a')
    const stream = replay.stream(request('a'))
    await stream.next()
    await stream.next()
    const failure = { name: 'LlmError', message: 'overloaded', code: 'SERVER', status: 503 }
    await expect(stream.next()).rejects.toMatchObject(failure)
  })

  test('of kind hang serves its chunks, then waits until it is aborted', async () => {
    const abort = new AbortController()
    const replay = replayOf([{ kind: 'hang', chunks: begins('Well,') }])
    open(replay, 'a')
    const stream = replay.stream(request('a', { signal: abort.signal }))
    await stream.next()
    await stream.next()
    const next = stream.next()
    setImmediate(() => abort.abort())
    await expect(next).rejects.toMatchObject({ name: 'LlmError', code: 'ABORTED' })
  })

  test('that is aborted before it starts serves nothing', async () => {
    const replay = replayOf([says('one'), { kind: 'hang' }])
    open(replay, 'a')
    const signal = AbortSignal.abort()
    await expect(collect(replay.stream(request('a', { signal })))).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(collect(replay.stream(request('a', { signal })))).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

test('a request that does not match the log fails, is reported, and uses no entry', async () => {
  const replay = replayOf([says('one')])
  open(replay, 'a')
  const message = 'replay: session 0, turn 1 step 1 sends what its log does not say: model: expected "m", got "other"'
  const wrong = replay.stream({ ...request('a'), model: 'other' })
  await expect(collect(wrong)).rejects.toMatchObject({ code: 'REPLAY', message })
  expect(reported().at(-1)).toEqual({ type: 'failed', message })
  await expect(textOf(replay.stream(request('a')))).resolves.toBe('one')
})
