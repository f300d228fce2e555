import { fuzzGuard } from './guard.ts'
import { MUTATIONS } from './mutations.ts'
import { fuzzReplay } from './replay.ts'

/** The same mutations in every run of CI; `npm run fuzz` takes others. */
const SEED = 6

test('the guard ends each of several hundred mutated fixtures green or in faults that name the file', async () => {
  const runs = 8 * Object.keys(MUTATIONS).length
  const { counts, problems } = await fuzzGuard(SEED, 0, runs)
  expect(problems).toEqual([])
  expect([...counts.keys()].sort()).toEqual(Object.keys(MUTATIONS).sort())
})

test('a run of Jest over mutated fixtures ends each green or in a failure that names the scenario', async () => {
  const { green, failed, problems } = await fuzzReplay(SEED, 26, 14)
  expect(problems).toEqual([])
  expect(failed).toBeGreaterThan(green.length)
})
