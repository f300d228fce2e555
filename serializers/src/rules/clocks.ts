/**
 * The rule `clocks`: an epoch value, in seconds or finer, is a clock if its key names a moment (`started_at_ms`,
 * `createdAt`, `timestamp`) or a turn's id.
 */
export function isClock(key: string, text: string): boolean {
  return EPOCH.test(text) && MOMENT.test(key)
}

const UNIT = '(?:_?(?:ms|us|ns|s|secs|seconds)|Ms|Us|Ns|Secs|Seconds)?'
const MOMENT = new RegExp(`(?:[a-z0-9](?:At|Timestamp)|(?:^|_)(?:at|timestamp))${UNIT}$|^turn(?:Id|_id)$`)

/** Between 2001 and 2033, in seconds, ms, µs or ns. */
const EPOCH = /^1\d{9}(?:\d{3}){0,3}(?:\.\d+)?$/
