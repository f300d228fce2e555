import { abortable } from '../src/abortable.ts'

async function* letters(...all: string[]) {
  yield* all
}

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const seen: string[] = []
  for await (const item of stream) seen.push(item)
  return seen
}

test('forwards every item', async () => {
  const signal = new AbortController().signal
  await expect(collect(abortable(letters('a', 'b'), signal))).resolves.toEqual(['a', 'b'])
})

test('lets a stream that handles the signal end by itself', async () => {
  const abort = new AbortController()
  async function* heeds() {
    yield 'a'
    await new Promise((resolve) => abort.signal.addEventListener('abort', resolve))
    yield 'last words'
  }
  const done = collect(abortable(heeds(), abort.signal))
  setImmediate(() => abort.abort())
  await expect(done).resolves.toEqual(['a', 'last words'])
})

test("abandons a stream that ignores the signal, and throws the signal's reason", async () => {
  const abort = new AbortController()
  async function* deaf() {
    yield 'a'
    await new Promise(() => undefined)
  }
  const done = collect(abortable(deaf(), abort.signal))
  setImmediate(() => abort.abort('enough'))
  await expect(done).rejects.toBe('enough')
})

test('does the same when the signal was aborted before the start', async () => {
  const next = () => new Promise<never>(() => undefined)
  const stream = { [Symbol.asyncIterator]: () => ({ next }) }
  await expect(collect(abortable(stream, AbortSignal.abort('enough')))).rejects.toBe('enough')
})

test('ends the stream when the reader stops', async () => {
  let ended = false
  async function* stream() {
    try {
      yield 'a'
      yield 'b'
    } finally {
      ended = true
    }
  }
  for await (const _ of abortable(stream(), new AbortController().signal)) break
  await new Promise(setImmediate)
  expect(ended).toBe(true)
})
