import fc from 'fast-check'
import { readEvents } from '../src/event-stream.ts'
import { StallWatch } from '../src/stall-watch.ts'

const values = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }))
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

test('the events do not depend on line endings or packet boundaries', async () => {
  await fc.assert(
    fc.asyncProperty(values, lineEnd, fc.integer({ min: 1, max: 9 }), async (values, end, size) => {
      const lines = [...values.map((value) => JSON.stringify(value)), '[DONE]'].map((data) => `data: ${data}`)
      const bytes = new TextEncoder().encode(lines.map((line) => line + end + end).join(''))
      expect(await read(cut(bytes, size))).toEqual(values)
    }),
  )
})

test.each([
  ['comments and other fields', ': hi\n\nid: 1\nretry: 5\nretry: soon\nodd\nevent: chunk\ndata: 1\n\n'],
  ['a byte order mark', '\ufeffdata: 1\n\n'],
  ['no space after the colon', 'data:1\n\n'],
  ['an event without data', 'event: ping\n\ndata: 1\n\n'],
  ['anything after [DONE]', 'data: 1\n\ndata: [DONE]\n\ndata: {\n\ndata: 2\n\n'],
  ['an event that the end of the stream cuts', 'data: 1\n\ndata: 2\n'],
])('reads a stream with %s', async (_, text) => {
  expect(await read([new TextEncoder().encode(text)])).toEqual([1])
})

test('joins the lines of an event', async () => {
  expect(await read([new TextEncoder().encode('data: {"a":\ndata: 1}\n\n')])).toEqual([{ a: 1 }])
})

test('drops an event that ends inside a character', async () => {
  const bytes = new TextEncoder().encode('data: 1\n\ndata: "€')
  expect(await read([bytes.subarray(0, -1)])).toEqual([1])
})

test.each([
  ['an error event', '{"error":{"message":"Engine fault"}}', 'SERVER', 'Engine fault'],
  ['an error event without a message', '{"error":{"code":7}}', 'SERVER', '{"code":7}'],
  ['an error event that is a text', '{"error":"Engine fault"}', 'SERVER', '"Engine fault"'],
  ['an event without JSON', '', 'BAD_STREAM', 'an event of the stream is not JSON'],
])('%s throws', async (_, data, code, message) => {
  await expect(read([new TextEncoder().encode(`data: ${data}\n\n`)])).rejects.toMatchObject({ code, message })
})

test('an abort after the last packet throws', async () => {
  const reason = new Error('aborted')
  await expect(read([], AbortSignal.abort(reason))).rejects.toBe(reason)
})

async function read(packets: Uint8Array[], signal = new AbortController().signal): Promise<unknown[]> {
  const watch = new StallWatch(60_000)
  const events: unknown[] = []
  try {
    for await (const event of readEvents(new Response(ReadableStream.from(packets)), watch, signal)) events.push(event)
  } finally {
    watch.rest()
  }
  return events
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}
