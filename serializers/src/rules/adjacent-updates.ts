import { type Json, printJson, valueAt } from '../json.ts'
import { textAt, withText } from '../streamed-text.ts'
import { CHUNK_KINDS, CHUNK_TEXT } from '../transcript-streams.ts'

/** A frame of a normalised transcript, and the positions of the frames that it was made of. */
export interface Line {
  readonly json: Json
  readonly sources: readonly number[]
}

/**
 * The rule `chunks`, off by default: joins adjacent text chunks that differ only in their text.
 *
 * @param isWhole whether an added pointer replaced the whole text, so that there is nothing to join
 */
export function joinChunks(lines: readonly Line[], isWhole: (text: string) => boolean): Line[] {
  return combine(lines, chunkWithoutText, (run) => {
    const texts = run.map(({ json }) => textAt(json, CHUNK_TEXT) ?? '')
    return withText(run[0].json, CHUNK_TEXT, texts.find(isWhole) ?? texts.join(''))
  })
}

/** The rule `repeated-updates`, off by default: keeps one of adjacent identical updates. A chunk is no repetition. */
export function dropRepeated(lines: readonly Line[]): Line[] {
  return combine(
    lines,
    (json) => (isUpdate(json) && chunkWithoutText(json) === undefined ? printJson(json) : undefined),
    (run) => run[0].json,
  )
}

type Run = readonly [Line, ...Line[]]

/** Makes one line of adjacent lines with the same key. A line without a key stays. */
function combine(lines: readonly Line[], keyOf: (json: Json) => string | undefined, join: (run: Run) => Json): Line[] {
  const runs: { key: string | undefined; run: [Line, ...Line[]] }[] = []
  for (const line of lines) {
    const key = keyOf(line.json)
    const last = runs.at(-1)
    if (last && key !== undefined && last.key === key) last.run.push(line)
    else runs.push({ key, run: [line] })
  }
  return runs.map(({ run }) =>
    run.length === 1 ? run[0] : { json: join(run), sources: run.flatMap(({ sources }) => sources) },
  )
}

function isUpdate(json: Json): boolean {
  return !valueAt(json, 'id') && textAt(json, ['params', 'update', 'sessionUpdate']) !== undefined
}

/** What else a text chunk says; `undefined` for another frame. */
function chunkWithoutText(json: Json): string | undefined {
  const kind = textAt(json, ['params', 'update', 'sessionUpdate'])
  if (kind === undefined || !CHUNK_KINDS.has(kind) || textAt(json, CHUNK_TEXT) === undefined) return undefined
  return printJson(withText(json, CHUNK_TEXT, ''))
}
