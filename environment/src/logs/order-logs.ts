import type { Volatile } from 'jest-serializer-acp'
import type { Log, LogFormat } from './log-format.ts'

/** A log as the agent left it. */
export interface HarvestedLog {
  text: string
  log: Log
}

/** What the order of the logs depends on. */
export interface OrderHints {
  /** The sessions that the script created, in order. */
  sessionIds: readonly string[]
  /** What the agent wrote to stdout. */
  frames: readonly string[]
  volatile: Volatile
}

/**
 * Orders the logs of a run independently of random ids: the sessions of the script first, then the others by creation,
 * as the replay counts sessions. Of those that were created in the same millisecond, the child of an earlier parent
 * comes first, then the one whose id appears first on stdout, then in its parent's log, then the smaller normalised
 * text. A parent always comes before its children.
 */
export function orderLogs(
  logs: readonly HarvestedLog[],
  format: LogFormat,
  { sessionIds, frames, volatile }: OrderHints,
): HarvestedLog[] {
  const scripted = new Map<string | undefined, number>(sessionIds.map((id, ordinal) => [id, ordinal]))
  const ordinal = (log: HarvestedLog) => scripted.get(idOf(log)) ?? sessionIds.length
  const ordered = logs.filter((log) => scripted.has(idOf(log))).sort((a, b) => ordinal(a) - ordinal(b))
  const rank = remember((log) => rankOf(log, ordered, frames))
  const text = remember((log) => format.normalize([log.text], volatile).join(''))
  const compare = (a: HarvestedLog, b: HarvestedLog) => compareRanks(rank(a), rank(b)) || compareTexts(text(a), text(b))
  const left = new Set(logs.filter((log) => !scripted.has(idOf(log))))
  while (left.size > 0) {
    const first = withoutParent([...left]).reduce((a, b) => (compare(b, a) < 0 ? b : a))
    ordered.push(first)
    left.delete(first)
  }
  return ordered
}

function remember<T>(make: (log: HarvestedLog) => T): (log: HarvestedLog) => T {
  const made = new Map<HarvestedLog, T>()
  return (log) => {
    const value = made.get(log) ?? make(log)
    made.set(log, value)
    return value
  }
}

function idOf({ log }: HarvestedLog): string | undefined {
  return log.id
}

/** The logs without a parent among them; all logs if their parents form a cycle. */
function withoutParent(left: readonly HarvestedLog[]): readonly HarvestedLog[] {
  const ids = new Set(left.map(idOf))
  const first = left.filter(({ log }) => log.parent === undefined || !ids.has(log.parent))
  return first.length > 0 ? first : left
}

/** When the log was created; then its parent, and its first appearance on stdout and in its parent's log. */
function rankOf({ log }: HarvestedLog, ordered: readonly HarvestedLog[], frames: readonly string[]): number[] {
  const { id, createdAt = 0 } = log
  const parent = log.parent === undefined ? -1 : ordered.findIndex((other) => idOf(other) === log.parent)
  if (id === undefined) return [createdAt, parent, orLast(-1), orLast(-1)]
  // A short id may be any word.
  const sought = id.length < 8 ? JSON.stringify(id) : id
  return [
    createdAt,
    parent,
    orLast(frames.findIndex((frame) => frame.includes(sought))),
    orLast(ordered[parent]?.text.indexOf(sought) ?? -1),
  ]
}

function orLast(index: number): number {
  return index === -1 ? Number.MAX_SAFE_INTEGER : index
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((rank, i) => rank - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0
}

/** Compares code units, independently of the locale. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
