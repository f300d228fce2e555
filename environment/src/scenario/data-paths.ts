import type { ScenarioInput } from './input/parse-input.ts'

/**
 * Where an absolute path can begin, for a regular expression: not inside a longer path or a word.
 * A JSON escape (`\n/tmp/x`) also ends a word, although it ends in a letter.
 */
export const PATH_START = String.raw`(?:(?<![\w.}~-])|(?<=\\[bfnrt]))`

/** A path into a temp directory, for a regular expression: up to a character that cannot be part of it, or to a length limit. */
export const POSIX_TEMP_PATH = String.raw`${PATH_START}(?:/private)?/(?:tmp|var/tmp|var/folders)/[^\s"'<>\\]{1,4096}`

const NAMED = new RegExp(POSIX_TEMP_PATH, 'g')

/** Punctuation that ends a sentence or a bracket, not a path. */
const PUNCTUATION = /[.,;:!?)\]}*`]+$/

const RUN_DIR = /\/acp-[\da-f]{12}(?![\da-f])/i

/** Whether a path is in the directory of a run. Such a path changes on every run, so it is never data. */
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
