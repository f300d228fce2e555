import { normalizeText } from 'jest-serializer-acp'

const volatile = { paths: { cwd: ['/tmp/x/cwd'], tmp: ['/tmp/x'] } }

test('known paths become tokens in a text that is not a frame', () => {
  expect(normalizeText('You work in /tmp/x/cwd.\nScratch: /tmp/x/a', volatile)).toBe(
    'You work in {{cwd}}.\nScratch: {{tmp}}/a',
  )
})

test('normalising a text twice changes nothing', () => {
  const once = normalizeText('in /tmp/x/cwd', volatile)
  expect(normalizeText(once, volatile)).toBe(once)
})

test('without known paths a text stays as it is', () => {
  expect(normalizeText('in /tmp/x/cwd', {})).toBe('in /tmp/x/cwd')
})

test('session ids become tokens, in the order of the sessions', () => {
  const ids = { sessionIds: ['session-a', 'session-b'] }
  const once = normalizeText('session-b came after session-a, not session-abc', ids)
  expect(once).toBe('{{sessionId.2}} came after {{sessionId}}, not session-abc')
  expect(normalizeText(once, ids)).toBe(once)
})
