import { basename, dirname, relative } from 'node:path'
import type { LogFormat } from '../logs/log-format.ts'
import { FixtureError } from '../scenario/fault.ts'
import type { FileContent, ScenarioFiles } from '../scenario/tree.ts'
import { localSecrets } from '../secrets/local-secrets.ts'
import { searchWithSecretlint } from '../secrets/secretlint.ts'
import { guardScenario } from './guard-fixtures.ts'
import { readSiblings } from './read-scenario.ts'

/** The new content of each changed file of a fixture, by path; `undefined` removes the file. */
export type FixtureChanges = ReadonlyMap<string, FileContent | undefined>

/**
 * Checks a fixture as it would be after a write: with the checks of a replay, and for all secrets of this machine.
 *
 * @param before the current files
 * @param changes the files to write
 * @param options.env the variables of this machine and of the run; their names decide which values are secret
 * @param options.only `changes`: ignore faults of other files
 * @throws FixtureError that lists every fault
 */
export function checkChanges(
  dir: string,
  before: ScenarioFiles['files'],
  changes: FixtureChanges,
  { env, logFormat, only }: { env: NodeJS.ProcessEnv; logFormat: LogFormat; only?: 'changes' },
): void {
  const files = new Map(before)
  for (const [name, text] of changes) {
    if (text === undefined) files.delete(name)
    else files.set(name, text)
  }
  const root = dirname(dir)
  const name = basename(dir)
  const display = relative(process.cwd(), root)
  const options = { secrets: localSecrets(env), logFormat, rules: searchWithSecretlint }
  const { faults: all } = guardScenario(display, { name, files }, readSiblings(root, name), options)
  const written = new Set([...changes.keys()].map((path) => `${display}/${name}/${path}`))
  const faults = only === 'changes' ? all.filter(({ file }) => written.has(file)) : all
  if (faults.length > 0) throw new FixtureError(faults)
}
