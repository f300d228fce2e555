import { basename, dirname } from 'node:path'
import { readyName, recover } from '../io/journal.cjs'
import { FixtureError, type FixtureFault } from '../scenario/fault.ts'
import { STAGING } from '../scenario/files.ts'

/**
 * Completes a write of the fixture that was interrupted when a run was killed.
 *
 * @throws FixtureError when that fails: the fixture may then be a mix of old and new files
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
