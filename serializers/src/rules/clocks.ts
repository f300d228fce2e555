/**
 * The rule `clocks`: what stands at a key that names a moment (`started_at_ms`, `createdAt`, `timestamp`), or at a
 * turn's id, is a clock when it is an epoch value, in seconds or finer.
 */
export function isClock(key: string, text: string): boolean {
  return EPOCH.test(text) && MOMENT.test(key)
}

const UNIT = '(?:_?(?:ms|us|ns|s|secs|seconds)|Ms|Us|Ns|Secs|Seconds)?'
const MOMENT = new RegExp(`(?:[a-z0-9](?:At|Timestamp)|(?:^|_)(?:at|timestamp))${UNIT}$|^turn(?:Id|_id)$`)

/** Between 2001 and 2033, in seconds, ms, µs or ns. */
const EPOCH = /^1\d{9}(?:\d{3}){0,3}(?:\.\d+)?$/
