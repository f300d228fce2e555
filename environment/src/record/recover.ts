import { basename, dirname } from 'node:path'
import { readyName, recover } from '../io/journal.cjs'
import { FixtureError, type FixtureFault } from '../scenario/fault.ts'
import { STAGING } from '../scenario/files.ts'

/**
 * Finishes the write of a fixture that a killed run has begun.
 *
 * @throws FixtureError when it cannot be finished: then the fixture may be a mix of old and new files
 */
export function recoverFixture(dir: string): void {
  const problem = recover(dirname(dir), STAGING).get(readyName(dir, STAGING))
  if (problem === undefined) return
  throw new FixtureError([unfinished(`${basename(dirname(dir))}/${basename(dir)}`, readyName(dir, STAGING), problem)])
}

function unfinished(file: string, journal: string, problem: string): FixtureFault {
  const what = `a write of this fixture was interrupted, and cannot be finished: ${problem}`
  return {
    file,
    message: `${what}. Run Jest once where it may write, or check the fixture out again and remove ${journal}`,
  }
}
