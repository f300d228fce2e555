import { type EventData, type EventType, type SessionEvent, SessionLog } from '@acp-snapshot/session'
import { streamSessionEventUpdate, userMessageUpdates } from '../src/projection.ts'

const at = { turn: 1, step: 1 }
const call = { ...at, callId: 'call_1', name: 'bash', arguments: '{"command":"ls"}' }
const result = { ...at, callId: 'call_1', content: [{ type: 'text' as const, text: 'a.txt' }], isError: false }

const tools = {
  presentCall: ({ name }: { name: string }) => ({ title: `Run ${name}`, kind: 'execute' as const, rawInput: 'ls' }),
  presentResult: () => ({
    content: [{ type: 'content' as const, content: { type: 'text' as const, text: 'shown' } }],
    title: 'Ran',
  }),
}

function logOf<T extends EventType>(type: T, data: EventData[T], sourceEventSeqs?: number[]) {
  const log = new SessionLog({ type: 'session', version: 0, id: 's', createdAt: 0 })
  log.append('tool/call', call)
  return { event: log.append(type, data, sourceEventSeqs && { sourceEventSeqs }), events: log.events }
}

function project<T extends EventType>(type: T, data: EventData[T], sourceEventSeqs?: number[]) {
  const { event, events } = logOf(type, data, sourceEventSeqs)
  return streamSessionEventUpdate(event, events, tools)
}

describe('streamSessionEventUpdate', () => {
  test('sends text as message chunks, and reasoning as thought chunks', () => {
    const text = { type: 'text-delta' as const, index: 0, text: 'Hi' }
    expect(project('assistant/chunk', { ...at, chunk: text })).toEqual({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'Hi' },
    })
    expect(project('assistant/chunk', { ...at, chunk: { ...text, type: 'reasoning-delta' } })).toEqual({
      sessionUpdate: 'agent_thought_chunk',
      content: { type: 'text', text: 'Hi' },
    })
  })

  test('sends a call as its tool presents it', () => {
    expect(project('tool/call', call)).toEqual({
      sessionUpdate: 'tool_call',
      toolCallId: 'call_1',
      title: 'Run bash',
      kind: 'execute',
      status: 'in_progress',
      rawInput: 'ls',
    })
  })

  test('sends a result as the tool of its call presents it', () => {
    expect(project('tool/result', result, [0])).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      status: 'completed',
      title: 'Ran',
      content: [{ type: 'content', content: { type: 'text', text: 'shown' } }],
    })
  })

  test('sends a result without a known call as plain text, and an error as failed', () => {
    expect(project('tool/result', { ...result, isError: true })).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'a.txt' } }],
    })
  })

  test('sends todos as a plan', () => {
    expect(project('todo/write', { todos: [{ content: 'Test', status: 'in_progress' }] })).toEqual({
      sessionUpdate: 'plan',
      entries: [{ content: 'Test', priority: 'medium', status: 'in_progress' }],
    })
  })

  test('sends nothing for other events', () => {
    const finish = { type: 'finish' as const, reason: { kind: 'stop' as const } }
    const unknown: SessionEvent = { type: 'hook/run', seq: 1, time: 0, data: {} }
    expect(project('assistant/chunk', { ...at, chunk: finish })).toBeUndefined()
    expect(project('user/message', { content: [], source: { kind: 'user' } })).toBeUndefined()
    expect(project('assistant/message', { ...at, content: [] })).toBeUndefined()
    expect(streamSessionEventUpdate(unknown, [unknown], tools)).toBeUndefined()
  })
})

describe('userMessageUpdates', () => {
  test('sends one update for each text block of a user message', () => {
    const content = [
      { type: 'text' as const, text: 'Read' },
      { type: 'reasoning' as const, text: 'hm' },
      { type: 'text' as const, text: 'this' },
    ]
    const { event } = logOf('user/message', { content, source: { kind: 'user' } })
    expect(userMessageUpdates(event)).toEqual([
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Read' } },
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'this' } },
    ])
  })

  test('sends nothing for other events', () => {
    const { event } = logOf('tool/call', call)
    expect(userMessageUpdates(event)).toEqual([])
  })
})
