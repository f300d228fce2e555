import { opaqueFiles } from './guard/secrets/check.ts'
import { printable } from './printable.ts'
import type { ScenarioFiles } from './tree.ts'

/** Says which files nobody could search for secrets: those of a workspace that are no text. Nothing when there are none. */
export function opaqueNote(scenarios: readonly Pick<ScenarioFiles, 'name' | 'files'>[]): string | undefined {
  const paths = scenarios.flatMap(({ name, files }) => opaqueFiles(files).map((path) => `${name}/${path}`))
  if (paths.length === 0) return undefined
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''
  const named = paths.slice(0, MOST_NAMED).map(printable).join(', ')
  return `not searched for secrets, since not text: ${named}${more}; make sure that no secret is in there`
}

const MOST_NAMED = 20
