import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { expectGreen, scenariosThat, snapshot } from './support/snapshot-run.ts'

const project = new ProjectCopy()
afterEach(() => project.restore())
afterAll(() => project.remove())

/** Loads a session with a thought and a tool call in its history, then prompts about it. */
const LOAD = [...snapshot('load-session'), '--ci', '-i']
const TURN = 'packages/agent/src/turn.ts'
const BRIDGE = 'packages/acp/src/bridge.ts'
const HISTORY = 'messages: deriveMessages(session.log.events),'

describe('a request that differs from the session log fails: the agent sends', () => {
  test.each([
    {
      what: 'no history at all',
      from: HISTORY,
      to: 'messages: deriveMessages(session.log.events).slice(0, 0),',
      told: 'turn 1 step 1 sends what its log does not say: messages[0]: expected {"role":"user","content":',
    },
    {
      what: 'the last message alone',
      from: HISTORY,
      to: 'messages: deriveMessages(session.log.events).slice(-1),',
      told: 'turn 1 step 2 sends what its log does not say: messages[0].role: expected "user", got "tool"',
    },
    {
      what: 'no tool results',
      from: HISTORY,
      to: "messages: deriveMessages(session.log.events).filter(({ role }) => role !== 'tool'),",
      told: 'turn 1 step 2 sends what its log does not say: messages[2]: expected {"role":"tool","content":',
    },
    {
      what: 'no thoughts',
      from: HISTORY,
      to: "messages: deriveMessages(session.log.events).map((message) => ({ ...message, content: message.content.filter(({ type }) => type !== 'reasoning') })),",
      told: 'turn 1 step 2 sends what its log does not say: messages[1].content[0].type: expected "reasoning", got "tool-call"',
    },
    {
      what: 'the history of this process alone',
      from: HISTORY,
      to: 'messages: deriveMessages(session.resumed ? session.log.events.slice(-4) : session.log.events),',
      told: 'turn 2 step 1 sends what its log does not say: messages[0].content[0].text: expected "My name is Ada.',
    },
    {
      what: 'another model',
      from: 'model: header.config.model,',
      to: "model: 'another-model',",
      told: 'turn 1 step 1 sends what its log does not say: model: expected "deepseek-v4-flash", got "another-model"',
    },
    {
      what: 'another system prompt',
      from: 'system: header.system,',
      to: "system: 'Another system.',",
      told: 'turn 1 step 1 sends what its log does not say: system: expected "You are a coding agent.',
    },
    {
      what: 'no tools',
      from: 'tools: header.tools,',
      to: 'tools: [],',
      told: 'turn 1 step 1 sends what its log does not say: tools[0]: expected {"name":"bash"',
    },
    {
      what: 'a parameter that is not logged',
      from: 'tools: header.tools,',
      to: 'tools: header.tools, temperature: 2,',
      told: 'turn 1 step 1 sends what its log does not say: temperature: expected nothing, got 2',
    },
  ])('$what', async ({ from, to, told }) => {
    project.edit(TURN, from, to)
    await expectRed(LOAD, `replay: session 0, ${told}`)
  })

  test('another model, and hides the error', async () => {
    project.edit(TURN, 'model: header.config.model,', "model: 'another-model',")
    project.edit(
      TURN,
      "return { kind: 'error', step: at.step",
      "return { kind: 'completed' }; return { kind: 'error', step: at.step",
    )
    await expectRed(
      [...snapshot('handshake', 'refusal'), '--ci', '-i'],
      'turn 1 step 1 sends what its log does not say: model',
    )
  })
})

describe('a session/load that does not replay the whole history fails: it leaves out', () => {
  const SEND = 'if (update) this.#send(sessionId, update)'

  test.each([
    ['everything but the user messages', SEND, '', '"user_message_chunk"'],
    ['the tool calls', SEND, `if (update && event.type !== 'tool/call') this.#send(sessionId, update)`, '"tool_call"'],
    [
      'the tool results',
      SEND,
      `if (update && event.type !== 'tool/result') this.#send(sessionId, update)`,
      '"tool_call_update"',
    ],
    [
      'the thoughts',
      SEND,
      "if (update && update.sessionUpdate !== 'agent_thought_chunk') this.#send(sessionId, update)",
      '"agent_thought_chunk"',
    ],
  ])('%s', async (_, from, to, missing) => {
    project.edit(BRIDGE, from, to)
    const output = await expectRed(LOAD, 'the transcript differs from stdout.golden.jsonl')
    expect(output).toContain(missing)
  })
})

describe('an edit of one line of session.jsonl fails, with file and line:', () => {
  /** What is replaced in which line (from 1), and the line and text of the fault. */
  const EDITS: [what: string, line: number, from: string, to: string, at: number, said: string][] = [
    [
      'the arguments in a delta',
      18,
      'SNAPSHOT_OK',
      'SNAPSHOT_KO',
      24,
      'turn 1 step 1: the arguments of block 1 differ',
    ],
    ['the arguments in a block-end', 24, 'Print', 'Show', 24, 'turn 1 step 1: the arguments of block 1 differ'],
    ["a call's id in a delta", 17, 'call_00_tool', 'call_01_tool', 17, 'turn 1 step 1: the id of block 1 differs'],
    ["a call's name in a delta", 20, '"bash"', '"read"', 20, 'turn 1 step 1: the name of block 1 differs'],
    ['the index of a delta', 19, '"index":1', '"index":0', 19, 'turn 1 step 1: tool-call-delta in block 0, which'],
    [
      'the index of a block-start',
      14,
      '"index":1',
      '"index":2',
      15,
      'turn 1 step 1: tool-call-delta of block 1, which has not',
    ],
    [
      'the type of a block',
      6,
      'reasoning',
      'text',
      7,
      'turn 1 step 1: reasoning-delta in block 0, which started as text',
    ],
    ['a thought in a block-end', 23, 'as asked', 'as told', 23, 'turn 1 step 1: the text of block 0 differs'],
    [
      'the index of a block-end',
      23,
      '"index":0',
      '"index":7',
      23,
      'turn 1 step 1: block-end of block 7, which has not started',
    ],
    ['the finish of a call', 26, 'tool-calls', 'stop', 26, 'turn 1 step 1: the finish is "stop", but the answer holds'],
    ['the finish of a text', 36, 'stop', 'tool-calls', 36, 'turn 1 step 2: the finish is "tool-calls", but'],
    ['the text in a block-end', 34, 'DONE', 'DONE.', 34, 'turn 1 step 2: the text of block 0 differs'],
  ]
  const name = (edit: number) => `edited-${edit}`
  let run: Awaited<ReturnType<ProjectCopy['jest']>>

  beforeAll(async () => {
    for (const [i, [, line, from, to]] of EDITS.entries()) {
      const dir = join(project.fixtures, name(i))
      cpSync(join(project.fixtures, 'tool-call-turn'), dir, { recursive: true })
      const log = join(dir, 'session.jsonl')
      const lines = readFileSync(log, 'utf8').split('\n')
      lines[line - 1] = (lines[line - 1] ?? '').replace(from, () => to)
      writeFileSync(log, lines.join('\n'))
    }
    run = await project.jest([...snapshot('edited-\\d+', 'text-turn'), '--ci', '-i'])
  })

  test('every edited scenario fails, and an unedited one passes', () => {
    expect(scenariosThat('FAIL', run)).toEqual([...EDITS.keys()].map(name).sort())
    expect(scenariosThat('PASS', run)).toEqual(['text-turn'])
  })

  test.each(EDITS.map(([what, , , , at, said], i) => ({ what, place: `${name(i)}/session.jsonl:${at}: ${said}` })))(
    '$what',
    ({ place }) => {
      expect(run.output).toContain(place)
    },
  )
})

test('the unedited project passes', async () => {
  expectGreen(await project.jest(LOAD))
})

/** Expects a run to fail with this message. @returns all output */
async function expectRed(args: readonly string[], said: string): Promise<string> {
  const { status, output } = await project.jest(args)
  expect(output).toContain(said)
  expect(status).toBe(1)
  return output
}
