import type { ScenarioInput } from './input/parse-input.ts'

/**
 * Where an absolute path can begin, for a regular expression: not inside a longer path or a word.
 * An escape of JSON (`\n/tmp/x`) ends a word too, though its last letter looks like one.
 */
export const PATH_START = String.raw`(?:(?<![\w.}~-])|(?<=\\[bfnrt]))`

/** A path into a temp directory, for a regular expression: up to what cannot stand in one, or to the longest one. */
export const POSIX_TEMP_PATH = String.raw`${PATH_START}(?:/private)?/(?:tmp|var/tmp|var/folders)/[^\s"'<>\\]{1,4096}`

const NAMED = new RegExp(POSIX_TEMP_PATH, 'g')

/** What ends a sentence or a bracket, and no path. */
const PUNCTUATION = /[.,;:!?)\]}*`]+$/

const RUN_DIR = /\/acp-[\da-f]{12}(?![\da-f])/i

/** Whether a path lies in the directory of a run: that changes on every run, so it is never data. */
export function isOfRun(path: string): boolean {
  return RUN_DIR.test(path)
}

/**
 * The paths into a temp directory that the user or the model chose, so that they are the same in every run: those that the steps of a
 * script name, and those that `"dataPaths"` lists.
 */
export function dataPathsOf({ steps, dataPaths }: Pick<ScenarioInput, 'steps' | 'dataPaths'>): string[] {
  const named = stringsOf(steps).flatMap((text) => text.match(NAMED) ?? [])
  const paths = [...dataPaths, ...named.map((path) => path.replace(PUNCTUATION, ''))]
  return [...new Set(paths)].filter((path) => !isOfRun(path))
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}
