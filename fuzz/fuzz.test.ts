import { fuzzGuard } from './guard.ts'
import { MUTATIONS } from './mutations.ts'
import { fuzzReplay } from './replay.ts'

/** CI always runs the same mutations; `npm run fuzz` uses a new seed each time. */
const SEED = 6

test('the guard accepts each of several hundred mutated fixtures, or reports faults that name the file', async () => {
  const runs = 8 * Object.keys(MUTATIONS).length
  const { counts, problems } = await fuzzGuard(SEED, 0, runs)
  expect(problems).toEqual([])
  expect([...counts.keys()].sort()).toEqual(Object.keys(MUTATIONS).sort())
})

test('in a Jest run, each mutated fixture passes, or fails with a message that names the scenario', async () => {
  const { green, failed, problems } = await fuzzReplay(SEED, 26, 14)
  expect(problems).toEqual([])
  expect(failed).toBeGreaterThan(green.length)
})
