import { parseArgs } from 'node:util'
import { fuzzGuard } from './guard.ts'
import { fuzzReplay } from './replay.ts'

const USAGE = 'usage: npm run fuzz -- [--seed N] [--from N] [--runs N] [--replays N]'

/** `npm run fuzz`: runs the guard on mutated fixtures, and replays some of them. Exits with 1 when it finds a problem. */
async function main(): Promise<number> {
  const number = { type: 'string' } as const
  const { values } = parseArgs({
    args: process.argv.slice(1),
    options: { seed: number, from: number, runs: number, replays: number },
  })
  const [seed, from, runs, replays] = [
    values.seed ?? Date.now() % 2 ** 31,
    values.from ?? 0,
    values.runs ?? 500,
    values.replays ?? 0,
  ].map(Number)
  if (seed === undefined || from === undefined || runs === undefined || replays === undefined) return usage()
  if (![seed, from, runs, replays].every((n) => Number.isSafeInteger(n) && n >= 0)) return usage()

  const { counts, problems } = await fuzzGuard(seed, from, runs)
  for (const [kind, { green, faults }] of counts) console.log(`${kind}: ${faults} faults, ${green} without a fault`)
  if (replays > 0) {
    const replayed = await fuzzReplay(seed, from, replays)
    console.log(`replayed: ${replayed.failed} failed, ${replayed.green.length} green`)
    for (const what of replayed.green) console.log(`  green: ${what}`)
    problems.push(...replayed.problems)
  }
  for (const problem of problems) console.error(`\n${problem}`)
  console.log(`seed ${seed}: ${runs} mutations, ${replays} replays, ${problems.length} problems`)
  return problems.length === 0 ? 0 : 1
}

function usage(): number {
  console.error(USAGE)
  return 2
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  },
)
