import type { LogSet, Transcript } from 'jest-serializer-acp'
import plugin, * as exported from 'jest-serializer-acp/plugin'

const transcript: Transcript = {
  kind: 'acp-transcript',
  frames: ['{"id":7,"result":{"sessionId":"s"}}', '{"method":"x","params":{"path":"/tmp/x/a"}}'],
  volatile: { paths: { cwd: ['/tmp/x'] }, requestIds: [5, 7] },
}
const logs: LogSet = {
  kind: 'acp-session-logs',
  logs: ['{"type":"session","id":"a"}\n{"type":"x","time":1}\n', '{"type":"session","id":"b"}\n'],
  volatile: {},
}

beforeAll(() => expect.addSnapshotSerializer(plugin))

test('prints a transcript, one frame a line', () => {
  expect(transcript).toMatchInlineSnapshot(`
{"id":2,"result":{"sessionId":"{{sessionId}}"}}
{"method":"x","params":{"path":"{{cwd}}/a"}}
`)
})

test('prints session logs, a blank line between them', () => {
  expect(logs).toMatchInlineSnapshot(`
{"type":"session","id":"{{sessionId}}"}
{"type":"x","time":0}

{"type":"session","id":"{{sessionId.2}}"}
`)
})

test.each([null, undefined, 'acp-transcript', 3, [], {}, { kind: 'other' }])('leaves %j to other plugins', (value) => {
  expect(plugin.test(value)).toBe(false)
})

test('is the module itself, as snapshotSerializers wants it', () => {
  expect(exported.test(transcript)).toBe(true)
  expect(exported.serialize(transcript)).toBe(plugin.serialize(transcript))
})
