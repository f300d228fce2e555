import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isEvent, parseSessionLog, type SessionEvent } from '@acp-snapshot/session'
import { logFile } from '@acp-snapshot/session-persistence-jsonl/store'
import { isRecord } from 'jest-environment-acp/client'
import { load } from './load.ts'
import { jsonLines, NO_TIMEOUT, recordedLogs, withRecordings } from './recordings.ts'

withRecordings(() => {
  test.each(recordedLogs().filter(({ name }) => name.endsWith('/session.jsonl')))(
    'what $name tells an editor is what the recorded agent told it',
    ({ name, dir, text }) => {
      const told = parseSessionLog(text, name).events.filter((event) => !isEvent(event, 'user/message'))
      expect(updatesIn(join(dir, 'stdout.golden.jsonl'))).toMatchObject(told.flatMap(updatesOf))
    },
  )

  test.each(recordedLogs())(
    'our agent loads $name: it sends what the log tells an editor, answers, and leaves the log as it is',
    async (recorded) => {
      const { header, events } = parseSessionLog(recorded.text, recorded.name)
      const { frames, sessions } = await load(recorded, header.id)
      const params = (update: object) => ({ sessionId: header.id, update })
      expect(frames).toMatchObject([
        ...events.flatMap(updatesOf).map((update) => ({ method: 'session/update', params: params(update) })),
        { result: {} },
      ])
      expect(sessions).toEqual({ [basename(logFile('', header.id))]: recorded.text })
    },
    NO_TIMEOUT,
  )
})

function updatesIn(transcript: string): unknown[] {
  return jsonLines(readFileSync(transcript, 'utf8')).flatMap((frame) =>
    isRecord(frame) && frame.method === 'session/update' && isRecord(frame.params) ? [frame.params.update] : [],
  )
}

/** The updates for an event, as docs/session-log.md specifies them. How a tool presents a call is left out. */
function updatesOf(event: SessionEvent): object[] {
  if (isEvent(event, 'user/message')) {
    return event.data.content.map((content) => ({ sessionUpdate: 'user_message_chunk', content }))
  }
  if (isEvent(event, 'assistant/chunk')) {
    const { chunk } = event.data
    if (chunk.type === 'text-delta') return [said('agent_message_chunk', chunk.text)]
    if (chunk.type === 'reasoning-delta') return [said('agent_thought_chunk', chunk.text)]
  }
  if (isEvent(event, 'tool/call')) {
    return [{ sessionUpdate: 'tool_call', toolCallId: event.data.callId, status: 'in_progress' }]
  }
  if (isEvent(event, 'tool/result')) {
    const { callId: toolCallId, isError } = event.data
    return [{ sessionUpdate: 'tool_call_update', toolCallId, status: isError ? 'failed' : 'completed' }]
  }
  if (isEvent(event, 'todo/write')) {
    return [{ sessionUpdate: 'plan', entries: event.data.todos.map((todo) => ({ ...todo, priority: 'medium' })) }]
  }
  return []
}

function said(sessionUpdate: string, text: string): object {
  return { sessionUpdate, content: { type: 'text', text } }
}
