import fc from 'fast-check'
import { type Frame, FrameReader, type Noise } from '../../src/child/frames.ts'

function read(...chunks: (string | Buffer)[]): (Frame | Noise)[] {
  const reader = new FrameReader()
  return [...chunks.flatMap((chunk) => reader.push(Buffer.from(chunk))), ...reader.end()]
}

const message = (text: string) => JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text } })

test('returns each message with its text and its value', () => {
  expect(read('{"jsonrpc":"2.0", "id":1}\n{"jsonrpc":"2.0","id":2}\n')).toEqual([
    { kind: 'frame', text: '{"jsonrpc":"2.0", "id":1}', value: { jsonrpc: '2.0', id: 1 } },
    { kind: 'frame', text: '{"jsonrpc":"2.0","id":2}', value: { jsonrpc: '2.0', id: 2 } },
  ])
})

test('returns a line after its newline, not before', () => {
  const reader = new FrameReader()
  expect(reader.push(Buffer.from('{"jsonrpc":"2.0"}'))).toEqual([])
  expect(reader.push(Buffer.from('\n'))).toHaveLength(1)
  expect(reader.end()).toEqual([])
})

test.each([
  ['log output', 'listening …\n', 'listening …', 'not JSON'],
  ['a byte order mark', '\ufeff{"jsonrpc":"2.0"}\n', '\ufeff{"jsonrpc":"2.0"}', 'not JSON'],
  ['a batch', '[{"jsonrpc":"2.0"}]\n', '[{"jsonrpc":"2.0"}]', 'not a JSON-RPC 2.0 message'],
  ['null', 'null\n', 'null', 'not a JSON-RPC 2.0 message'],
  ['another version', '{"jsonrpc":"1.0"}\n', '{"jsonrpc":"1.0"}', 'not a JSON-RPC 2.0 message'],
  ['an object without a version', '{"id":1}\n', '{"id":1}', 'not a JSON-RPC 2.0 message'],
  ['a blank line', ' \n', ' ', 'blank'],
  ['a last line without a newline', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0"}', 'torn'],
  ['bytes that are not UTF-8', Buffer.from('7b22ff227d0a', 'hex'), '{"\ufffd"}', 'not UTF-8'],
])('%s is noise', (_, bytes, text, why) => {
  expect(read(bytes)).toEqual([{ kind: 'noise', text, why }])
})

test('a CR before the LF is dropped', () => {
  expect(read(`${message('a')}\r\n`)).toMatchObject([{ kind: 'frame', text: message('a') }])
})

test('a line above the limit is noise with an excerpt, and the next line is read', () => {
  const reader = new FrameReader(300)
  const lines = ['x'.repeat(200), 'y'.repeat(200), '\n{"jsonrpc":"2.0"}\n'].flatMap((text) =>
    reader.push(Buffer.from(text)),
  )
  expect(lines).toMatchObject([
    { kind: 'noise', why: 'too long', text: `${'x'.repeat(200)}…` },
    { kind: 'frame', text: '{"jsonrpc":"2.0"}' },
  ])
})

test('a line of exactly the limit is read', () => {
  const line = message('a')
  expect(new FrameReader(line.length).push(Buffer.from(`${line}\n`))).toMatchObject([{ kind: 'frame' }])
  expect(new FrameReader(line.length - 1).push(Buffer.from(`${line}\n`))).toMatchObject([{ why: 'too long' }])
})

test('however the bytes are split across reads, the lines are the same', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }).map(message),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
    fc.constant('\ufeff'),
  )
  const chunkSizes = fc.array(fc.integer({ min: 1, max: 9 }))
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), chunkSizes, (lines, whole, sizes) => {
      const bytes = Buffer.from(lines.join('\n') + (whole ? '\n' : ''))
      const chunks: Buffer[] = []
      let start = 0
      for (const size of sizes) {
        chunks.push(bytes.subarray(start, start + size))
        start += size
      }
      expect(read(...chunks, bytes.subarray(start))).toEqual(read(bytes))
    }),
  )
})
