import { parseSessionLog } from '@acp-snapshot/session'

test('refuses a log of another version, naming file and line', () => {
  const text = '{"type":"session","version":1,"id":"a","createdAt":0}\n'
  expect(() => parseSessionLog(text, 'session.jsonl')).toThrow(
    'session.jsonl:1: log version 1 is not supported; this reader knows version 0',
  )
})
