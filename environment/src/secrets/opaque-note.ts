import { escapeLine } from '../escape-controls.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import { opaqueFiles } from './check-secrets.ts'

/** Names the files that cannot be searched for secrets because they are not text. `undefined` when there are none. */
export function opaqueNote(scenarios: readonly Pick<ScenarioFiles, 'name' | 'files'>[]): string | undefined {
  const paths = scenarios.flatMap(({ name, files }) => opaqueFiles(files).map((path) => `${name}/${path}`))
  if (paths.length === 0) return undefined
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''
  const named = paths.slice(0, MOST_NAMED).map(escapeLine).join(', ')
  return `not searched for secrets (not text): ${named}${more}; check that they contain no secret`
}

const MOST_NAMED = 20
