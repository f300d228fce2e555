import { parseSessionLog, printSessionLog, splitTornTail } from '@acp-snapshot/session'
import fc from 'fast-check'
import { log } from './arbitrary.ts'

const HEADER = '{"type":"session","version":0,"id":"a","createdAt":0}\n'

function eventLine(seq: number, type = 'x/y', data: object = {}): string {
  return `${JSON.stringify({ type, seq, time: 0, data })}\n`
}

test('printing what was parsed gives the same bytes back', () => {
  fc.assert(
    fc.property(log, ({ log }) => {
      const text = printSessionLog({ header: { ...log.header }, events: [...log.events] })
      expect(printSessionLog(parseSessionLog(text, 'log'))).toBe(text)
    }),
  )
})

test('keeps event types and keys that it does not know', () => {
  const text = `${HEADER}{"type":"hook/result","seq":0,"time":0,"data":{"durationMs":9.49630100000013},"extra":[1]}\n`
  expect(printSessionLog(parseSessionLog(text, 'log'))).toBe(text)
})

test.each([
  ['', 'log:1: the log is empty; line 1 must be the session header'],
  ['{"type":"turn/start"}\n', 'log:1: expected the session header, got type "turn/start"'],
  [
    '{"type":"session","version":1,"id":"a","createdAt":0}\n',
    'log:1: log version 1 is not supported; this reader knows version 0',
  ],
  ['{"type":"session","version":0,"createdAt":0}\n', 'log:1: id: '],
  [`${HEADER}{"type":\n`, 'log:2: not JSON: expected a value, got the end of the text (column 9)'],
  [`${HEADER}${'['.repeat(100_000)}\n`, 'log:2: not JSON'],
  [
    `${HEADER}${eventLine(0, 'hook/result', { deep: JSON.parse('['.repeat(200) + ']'.repeat(200)) })}`,
    'log:2: nested too deeply: at most 100 levels are read (column ',
  ],
  [`${HEADER}[]\n`, 'log:2: expected a JSON object, got []'],
  [`${HEADER}${eventLine(0)}${eventLine(2)}`, 'log:3: expected seq 1, got 2'],
  [`${HEADER}${eventLine(0, 'turn/start', { turn: -1 })}`, 'log:2: turn/start data turn: '],
  [
    `${HEADER}${eventLine(0, 'assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text' } })}`,
    'log:2: assistant/chunk data chunk.type: ',
  ],
  [`${HEADER}${eventLine(0).trimEnd()}`, 'log:2: the last line has no newline: it is torn'],
  [`${HEADER}${eventLine(0).replace('\n', '\r\n')}`, 'log:2: has a carriage return; a session log has LF line ends'],
])('refuses %j, naming file and line', (text, message) => {
  expect(() => parseSessionLog(text, 'log')).toThrow(message)
})

test('a torn last line can be cut wherever the crash came', () => {
  const text = `${HEADER}${eventLine(0)}${eventLine(1)}`
  fc.assert(
    fc.property(fc.integer({ min: HEADER.length, max: text.length }), (length) => {
      const { whole, torn } = splitTornTail(text.slice(0, length))
      expect(whole + torn).toBe(text.slice(0, length))
      expect(parseSessionLog(whole, 'log').events.length).toBeLessThanOrEqual(2)
    }),
  )
})
