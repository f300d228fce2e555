import type { StreamChunk } from '@acp-snapshot/session'

/** What a recorded log holds where the model spoke of the recording's working directory. */
const TOKEN = '{{cwd}}'

/** Keys whose strings are JSON text, or a piece of it. */
const JSON_TEXT: ReadonlySet<string> = new Set(['arguments', 'argumentsDelta'])

/** Puts a session's working directory in the place of `{{cwd}}` in every string of a chunk, escaped where that is JSON. */
export function placeCwd(chunk: StreamChunk, cwd: string): StreamChunk {
  // Strings become strings: the shape stays.
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
