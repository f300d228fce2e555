import { setImmediate } from 'node:timers/promises'
import { type LlmServer, type LlmServerOptions, type ScriptAnswer, startLlmServer } from '@acp-snapshot/llm-server'
import { modelAnswers } from '@acp-snapshot/testing/model-answers'
import fc from 'fast-check'
import { anthropicMessages } from './anthropic-messages.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

const CLIENTS = [openaiChat, openaiResponses, anthropicMessages, gemini]

const MODES = [
  { how: 'as a stream', stream: true },
  { how: 'as one body', stream: false },
]

const TURN: ScriptAnswer = {
  kind: 'chunks',
  chunks: [
    { type: 'reasoning-delta', index: 0, text: 'Hm' },
    { type: 'text-delta', index: 1, text: 'He' },
    { type: 'text-delta', index: 1, text: 'llo' },
    { type: 'tool-call-delta', index: 2, id: 'call_a', name: 'bash', argumentsDelta: '{"a"' },
    { type: 'tool-call-delta', index: 2, id: 'call_a', argumentsDelta: ':1}' },
    { type: 'usage', usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 5, reasoningTokens: 1 } },
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ],
}

let server: LlmServer

afterEach(() => server.close())

beforeAll(() => {
  // Some clients print what they cannot read.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})

afterAll(() => jest.restoreAllMocks())

describe.each(CLIENTS)("the vendor's client of $name", ({ ask, findModel, finishes }) => {
  describe.each(MODES)('$how', ({ stream }) => {
    test('reads a text', async () => {
      await start({ script: ['naïve 你好 👩‍👩‍👧'], packetBytes: 7 })
      expect(await ask(server.url, { stream })).toMatchObject({
        text: 'naïve 你好 👩‍👩‍👧',
        reasoning: '',
        calls: [],
        finish: finishes.stop,
      })
    })

    test('reads characters that are split', async () => {
      await start({ script: [{ fault: 'split-utf8', said: 'naïve 你好 👩‍👩‍👧' }] })
      expect(await ask(server.url, { stream })).toMatchObject({ text: 'naïve 你好 👩‍👩‍👧' })
    })

    test('hears of an answer that fails', async () => {
      const reason = { kind: 'error' as const, message: 'too busy' }
      await start({ script: [{ kind: 'chunks', chunks: [{ type: 'finish', reason }] }] })
      await expect(ask(server.url, { stream })).rejects.toThrow('too busy')
    })

    test('reads reasoning, a text, a tool call and the tokens', async () => {
      await start({ script: [TURN] })
      expect(await ask(server.url, { stream })).toEqual({
        reasoning: 'Hm',
        text: 'Hello',
        calls: [{ id: 'call_a', name: 'bash', arguments: { a: 1 } }],
        tokens: { input: 8, output: 4 },
        finish: finishes.calls,
      })
    })

    test('reads any answer', async () => {
      await start({ script: [] })
      await fc.assert(
        fc.asyncProperty(modelAnswers, async ({ chunks, read }) => {
          server.enqueue({ kind: 'chunks', chunks })
          const { text, reasoning, calls } = await ask(server.url, { stream })
          expect([text, reasoning]).toEqual([read.texts.join(''), read.reasonings.join('')])
          expect(calls).toEqual(read.calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) })))
        }),
        { numRuns: 10 },
      )
    })

    test.each([401, 429, 500])('fails with status %i and the message', async (status) => {
      await start({ script: [{ fault: 'status', status, message: 'not today' }] })
      const failure = await ask(server.url, { stream }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ status, message: expect.stringContaining('not today') })
    })

    test.each([
      ['a cut', { fault: 'cut', said: 'so far' }],
      ['a reset', { fault: 'reset' }],
      ['an event that is not JSON', { fault: 'malformed', said: 'so far' }],
    ] as const)('fails after %s', async (_, fault) => {
      await start({ script: [fault] })
      await expect(ask(server.url, { stream })).rejects.toThrow()
    })

    test('leaves a stalled answer when it is aborted', async () => {
      const lines: string[] = []
      await start({ script: [{ fault: 'stall', said: 'so far' }, 'PONG'], warn: (line) => lines.push(line) })
      const abort = new AbortController()
      const asked = ask(server.url, { stream, signal: abort.signal })
      const failed = expect(asked).rejects.toThrow()
      while (server.requests.length === 0) await setImmediate()
      abort.abort()
      await failed
      expect(await ask(server.url, { stream })).toMatchObject({ text: 'PONG' })
      expect(lines).toEqual([])
    })

    test('fails, with the reason, when no answer is left', async () => {
      await start({ script: [] })
      await expect(ask(server.url, { stream })).rejects.toThrow(
        'llm-server: got call 1, but the script has only 0 answers',
      )
    })
  })

  test('finds a model', async () => {
    await start({ script: [] })
    expect(await findModel(server.url)).toBe('m')
  })
})

async function start(options: LlmServerOptions): Promise<void> {
  server = await startLlmServer(options)
}
