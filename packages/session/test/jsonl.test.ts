import { decodeSessionLog, parseSessionLog, printSessionLog, splitTornTail } from '@acp-snapshot/session'
import fc from 'fast-check'
import { log } from './arbitrary.ts'

const HEADER = '{"type":"session","version":0,"id":"a","createdAt":0}\n'

function eventLine(seq: number, type = 'x/y', data: object = {}): string {
  return `${JSON.stringify({ type, seq, time: 0, data })}\n`
}

test('printing a parsed log gives the same bytes', () => {
  fc.assert(
    fc.property(log, ({ log }) => {
      const text = printSessionLog({ header: { ...log.header }, events: [...log.events] })
      expect(printSessionLog(parseSessionLog(text, 'log'))).toBe(text)
    }),
  )
})

test('keeps unknown event types and keys', () => {
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
  [
    `${HEADER}${eventLine(0).replace('\n', '\r\n')}`,
    'log:2: contains a carriage return; session logs use LF line endings',
  ],
])('refuses %j, naming file and line', (text, message) => {
  expect(() => parseSessionLog(text, 'log')).toThrow(message)
})

test('a torn last line can be cut wherever the crash happened, even inside a character', () => {
  const text = Buffer.from(`${HEADER}${eventLine(0, 'x/y', { text: 'é€😀' })}${eventLine(1)}`)
  fc.assert(
    fc.property(fc.integer({ min: HEADER.length, max: text.length }), (length) => {
      const { whole, torn } = splitTornTail(text.subarray(0, length))
      expect(Buffer.concat([whole, torn])).toEqual(text.subarray(0, length))
      expect(parseSessionLog(decodeSessionLog(whole, 'log'), 'log').events.length).toBeLessThanOrEqual(2)
    }),
  )
})

test('for any bytes, the cut is after the last newline', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
      const tail = after.filter((byte) => byte !== 0x0a)
      const { whole, torn } = splitTornTail(Buffer.concat([before, Buffer.from('\n'), tail]))
      expect(whole).toHaveLength(before.length + 1)
      expect(Buffer.from(torn)).toEqual(Buffer.from(tail))
    }),
  )
})

test.each([
  ['first', Buffer.from([0xff, 0x0a]), 1],
  ['second', Buffer.concat([Buffer.from(HEADER), Buffer.from([0x22, 0xc3, 0x22, 0x0a])]), 2],
  ['last', Buffer.concat([Buffer.from(HEADER + eventLine(0)), Buffer.from([0xe2, 0x82, 0x0a])]), 3],
])('bytes that are not UTF-8 in the %s line are refused with its number', (_, bytes, line) => {
  expect(() => decodeSessionLog(bytes, 'log')).toThrow(`log:${line}: is not UTF-8`)
})

test('decoding keeps a byte order mark and every character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeSessionLog(Buffer.from(`\ufeff${text}`), 'log')).toBe(`\ufeff${text}`)
    }),
  )
})
