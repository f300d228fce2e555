import { Assembler } from '@acp-snapshot/llm/assemble'
import {
  deriveMessages,
  deriveReplayScript,
  type EventOf,
  type EventType,
  isEvent,
  parseSessionLog,
  printSessionLog,
  ReplayScriptError,
  type SessionEvent,
  SessionLog,
} from '@acp-snapshot/session'
import { dataSchemas } from '@acp-snapshot/session/event'
import { recordedLogs, withRecordings } from './recordings.ts'

/** The logs with a model call that never finishes. No script can be derived from them, so they have an override. */
const UNFINISHED = ['cancel/session.jsonl', 'error-finish/session.jsonl']

withRecordings(() => {
  const logs = recordedLogs()

  test('the corpus has logs, and the two that never finish are among them', () => {
    expect(logs.length).toBeGreaterThan(UNFINISHED.length)
    expect(logs.map(({ name }) => name)).toEqual(expect.arrayContaining(UNFINISHED))
  })

  describe.each(logs)('$name', ({ name, text }) => {
    const { header, events } = parseSessionLog(text, name)

    test('prints to the same bytes', () => {
      expect(printSessionLog({ header, events })).toBe(text)
    })

    test('derives one message from each event that adds one to the history', () => {
      const roles = { 'user/message': 'user', 'assistant/message': 'assistant', 'tool/result': 'tool' }
      const surface = events.flatMap(({ type }) =>
        Object.entries(roles).flatMap(([of, role]) => (type === of ? role : [])),
      )
      expect(deriveMessages(events).map(({ role }) => role)).toEqual(surface)
    })

    test('derives the same messages when it is replayed into a fresh session', () => {
      const fresh = new SessionLog(header)
      for (const event of events) if (isKnown(event)) fresh.append(event.type, event.data)
      expect(deriveMessages(fresh.events)).toEqual(deriveMessages(events))
      expect(deriveMessages(new SessionLog(header, events).events)).toEqual(deriveMessages(fresh.events))
    })

    if (UNFINISHED.includes(name)) {
      test('derives no replay script, and the error names the place and what to do', () => {
        expect(() => deriveReplayScript({ header, events }, name)).toThrow(ReplayScriptError)
        expect(() => deriveReplayScript({ header, events }, name)).toThrow(
          `${name}:${lastLine(events)}: turn 1 step 1: the model's answer never finishes, so it cannot be replayed as it is. ` +
            'Record it again, or set "overridden": true and write replay.override.json',
        )
      })
    } else {
      test('derives a replay script with the recorded chunks, one entry per step', () => {
        const script = deriveReplayScript({ header, events }, name)
        const chunks = events.flatMap((event) => (isEvent(event, 'assistant/chunk') ? [event.data.chunk] : []))
        expect(script.flatMap((entry) => entry.chunks)).toEqual(chunks)
        expect(script).toHaveLength(events.filter((event) => isEvent(event, 'step/start')).length)
      })

      test('derives a replay script whose entries assemble into the recorded answers', () => {
        const answers = deriveReplayScript({ header, events }, name).map((entry) => {
          const assembler = new Assembler()
          for (const chunk of entry.chunks ?? []) assembler.add(chunk)
          const { content, usage } = assembler.answer
          return { content, usage }
        })
        const recorded = events.flatMap((event) => (isEvent(event, 'assistant/message') ? [event.data] : []))
        expect(answers).toEqual(recorded.map(({ content, usage }) => ({ content, usage })))
      })
    }
  })
})

/** The line of the last chunk, or of the step if it has none. */
function lastLine(events: readonly SessionEvent[]): number {
  const last = events.findLast((event) => isEvent(event, 'step/start') || isEvent(event, 'assistant/chunk'))
  return (last?.seq ?? 0) + 2
}

function isKnown(event: SessionEvent): event is EventOf<EventType> {
  return Object.hasOwn(dataSchemas, event.type)
}
