/** How long an adapter has to end its own stream after an abort, in milliseconds. */
const GRACE_MS = 500

/**
 * Forwards a stream until it is aborted. A stream that handles the signal ends by itself. One that ignores it is
 * abandoned after a grace period, so that it cannot block a cancelled turn.
 *
 * @throws the signal's reason, for a stream that ignores the signal
 */
export async function* abortable<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]()
  const late = graceAfter(signal)
  try {
    while (true) {
      const next = await Promise.race([iterator.next(), late.promise])
      if (next.done) return
      yield next.value
    }
  } finally {
    late.clear()
    // Not awaited: it may never settle.
    void iterator.return?.().catch(() => undefined)
  }
}

function graceAfter(signal: AbortSignal): { promise: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined
  let start: () => void = () => undefined
  const promise = new Promise<never>((_, reject) => {
    start = () => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS)
    }
  })
  promise.catch(() => undefined)
  if (signal.aborted) start()
  else signal.addEventListener('abort', start, { once: true })
  const clear = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', start)
  }
  return { promise, clear }
}
