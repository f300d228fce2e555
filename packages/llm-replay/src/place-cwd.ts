import type { StreamChunk } from '@acp-snapshot/session'

/** Stands in a recorded log for the working directory of the recording. */
const TOKEN = '{{cwd}}'

/** Keys whose strings are JSON text, or a part of it. */
const JSON_TEXT: ReadonlySet<string> = new Set(['arguments', 'argumentsDelta'])

/**
 * Replaces `{{cwd}}` with a session's working directory in every string of a chunk, escaped where the string is JSON.
 */
export function placeCwd(chunk: StreamChunk, cwd: string): StreamChunk {
  // A string is only replaced with a string, so the type stays the same.
  return place(chunk, cwd, JSON.stringify(cwd).slice(1, -1)) as StreamChunk
}

function place(value: unknown, cwd: string, escaped: string): unknown {
  if (typeof value === 'string') return value.replaceAll(TOKEN, () => cwd)
  if (Array.isArray(value)) return value.map((item) => place(item, cwd, escaped))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, place(item, JSON_TEXT.has(key) ? escaped : cwd, escaped)]),
  )
}
