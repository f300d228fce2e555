/**
 * The rule `durations`: a number is a measured duration if its key names a duration with a unit (`durationMs`,
 * `duration_ms`, `elapsedSeconds`), or if it is part of an object whose key names a duration without a unit
 * (`"duration": { "secs": 0, "nanos": 1 }`). A plain `"duration": 5` may be anything, so it stays.
 */
export function isDuration(key: string, parent: string): boolean {
  return MEASURE.test(key) || (PARTS.has(key) && WHOLE.test(parent))
}

const WORD = '(?:[dD]uration|[eE]lapsed|[lL]atency|[tT]ook|(?:[wW]all|[eE]xecution)_?[tT]ime)(?:Time|_time)?'
const UNIT =
  '(?:_?(?:ms|millis|milliseconds|us|micros|ns|nanos|secs|seconds)|_s|Ms|Millis|Milliseconds|Us|Micros|Ns|Nanos|Secs|Seconds|S)'
const MEASURE = new RegExp(`(?:^|[a-z0-9_])${WORD}${UNIT}$`)
const WHOLE = new RegExp(`(?:^|[a-z0-9_])${WORD}$`)
const PARTS: ReadonlySet<string> = new Set(['secs', 'nanos', 'seconds', 'nanoseconds'])
