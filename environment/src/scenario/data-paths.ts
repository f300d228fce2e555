import type { ScenarioInput } from './input.ts'

/** A path into a temp directory, up to what cannot stand in one. */
const TEMP_PATH = /(?<![\w.}~/-])(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s"'<>\\`]+/g

/** What ends a sentence, or a bracket, and no path. */
const PUNCTUATION = /[.,;:!?)\]}*]+$/

/** The directory of a run: another one in every run, so it is never data. */
export const RUN_DIR = /\/acp-[\da-f]{12}(?![\da-f])/i

/**
 * The paths into a temp directory that somebody chose, so that they are the same in every run: those that the steps of a
 * script name, and those that `"dataPaths"` lists.
 */
export function dataPathsOf({ steps, dataPaths }: ScenarioInput): string[] {
  const named = stringsOf(steps).flatMap((text) => text.match(TEMP_PATH) ?? [])
  const paths = [...dataPaths, ...named.map((path) => path.replace(PUNCTUATION, ''))]
  return [...new Set(paths)].filter((path) => !RUN_DIR.test(path))
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}
