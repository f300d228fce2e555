import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  FixtureError,
  type FixtureFault,
  guardFixtures,
  readFixtureTree,
  readScenario,
} from 'jest-environment-acp/scenario'
import { type Case, copyPin, describeCase, makeCase } from './case.ts'

/** A message from the child: a case begins, or has ended. `problem` is set when the guard misbehaved. */
export type GuardNews =
  | { type: 'begun'; index: number; what: string }
  | { type: 'ended'; index: number; kind: string; faults: number; problem?: string }

const [seed = 0, from = 0, runs = 0] = process.argv.slice(1).map(Number)

async function main(): Promise<void> {
  for (let index = from; index < from + runs; index++) {
    const root = mkdtempSync(join(tmpdir(), 'fuzz-'))
    tell({ type: 'begun', index, what: `case ${index}; npm run fuzz -- --seed ${seed} --from ${index} --runs 1` })
    copyPin(root)
    const made = await makeCase(root, seed, index, (scenario) => scenario)
    tell({ type: 'begun', index, what: describeCase(seed, made) })
    tell({ type: 'ended', index, kind: made.kind, ...judge(root, made) })
    await made.mutation.undo?.()
    rmSync(root, { recursive: true })
  }
  process.disconnect()
}

function judge(root: string, { name, mutation }: Case): { faults: number; problem?: string } {
  let faults: FixtureFault[]
  try {
    faults = guardFixtures(readFixtureTree(root, root), { complete: true })
    readScenario(join(root, name), { action: 'verify' })
  } catch (error) {
    if (!(error instanceof FixtureError)) {
      return { faults: 0, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
    faults ??= []
  }
  const found = faults.filter(({ file }) => file.endsWith(`/${name}/${mutation.file}`))
  const problems = [
    ...faults.filter(({ file }) => !file.startsWith(`./${name}/`)).map(({ file }) => `a fault of ${file}`),
    ...(/[^\P{Cc}\n]/u.test(new FixtureError(faults).message) ? ['the message holds control characters'] : []),
    ...(new FixtureError(faults).message.length > 50_000 ? ['the message is too long'] : []),
    ...(mutation.must !== 'any' && found.length === 0 ? ['expected a fault of this file'] : []),
    ...(mutation.must === 'line' && found.every(({ line }) => line === undefined) ? ['expected a line'] : []),
  ]
  if (problems.length === 0) return { faults: faults.length }
  return { faults: faults.length, problem: `${problems.join('\n')}\n${new FixtureError(faults).message}` }
}

function tell(news: GuardNews): void {
  process.send?.(news)
}

void main()
