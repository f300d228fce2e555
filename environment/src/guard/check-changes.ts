import { basename, dirname, relative } from 'node:path'
import type { LogFormat } from '../logs/log-format.ts'
import { FixtureError } from '../scenario/fault.ts'
import type { FileContent, ScenarioFiles } from '../scenario/tree.ts'
import { localSecrets } from '../secrets/local-secrets.ts'
import { searchWithSecretlint } from '../secrets/secretlint.ts'
import { guardScenario } from './guard-fixtures.ts'
import { readSiblings } from './read-scenario.ts'

/** The new content of each file of a fixture, by path; `undefined` removes it. */
export type FixtureChanges = ReadonlyMap<string, FileContent | undefined>

/**
 * Checks what a scenario's fixture would be once some of its files are written: as a replay would, and for all that
 * this machine keeps secret.
 *
 * @param before the files that it has now
 * @param changes what is to be written
 * @param options.env the variables of this machine, and those of the run: what is secret is found by name
 * @param options.only `changes`: faults of other files do not count
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
