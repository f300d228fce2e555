import { basename, dirname, relative } from 'node:path'
import { FixtureError } from './fault.ts'
import { guardScenario } from './guard.ts'
import { localSecrets } from './local-secrets.ts'
import { readSiblings } from './read.ts'
import { searchWithSecretlint } from './secretlint.ts'
import type { ScenarioFiles } from './tree.ts'

/**
 * Checks what a scenario's fixture would be once some of its files are written: as a replay would, and for all that
 * this machine keeps secret.
 *
 * @param before the files that it has now
 * @param changes the new text of each file, by name; `undefined` removes it
 * @param options.env the variables of this machine, and those of the run: what is secret is found by name
 * @param options.only `changes`: what is wrong with the other files is not told
 * @throws FixtureError that lists every fault
 */
export function checkFixture(
  dir: string,
  before: ScenarioFiles['files'],
  changes: ReadonlyMap<string, string | undefined>,
  { env, sessionLogs, only }: { env: NodeJS.ProcessEnv; sessionLogs: boolean; only?: 'changes' },
): void {
  const files = new Map(before)
  for (const [name, text] of changes) {
    if (text === undefined) files.delete(name)
    else files.set(name, text)
  }
  const root = dirname(dir)
  const name = basename(dir)
  const display = relative(process.cwd(), root)
  const options = { secrets: localSecrets(env), sessionLogs, rules: searchWithSecretlint }
  const { faults: all } = guardScenario(display, { name, files }, readSiblings(root, name), options)
  const written = new Set([...changes.keys()].map((path) => `${display}/${name}/${path}`))
  const faults = only === 'changes' ? all.filter(({ file }) => written.has(file)) : all
  if (faults.length > 0) throw new FixtureError(faults)
}
