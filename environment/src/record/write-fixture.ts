import type { ScenarioRun } from '../run/run-scenario.ts'
import { checkFixture } from '../scenario/check.ts'
import { readFiles } from '../scenario/read.ts'
import { commitFiles } from './commit.ts'
import { composeFixture } from './compose.ts'

/**
 * Makes a run the scenario's fixture: all files that change, together, and no other. What the guard would reject is not
 * written: then nothing is.
 *
 * @param golden the text of the transcript
 * @param env the variables of this machine and of the run, of which no fixture may hold a secret
 * @throws FixtureError, or Error when the files could not be put in place
 */
export function writeFixture(run: ScenarioRun, golden: string, env: NodeJS.ProcessEnv): void {
  const { dir } = run.scenario
  const files = composeFixture(run, golden)
  const before = readFiles(dir)
  checkFixture(dir, before, files, env)
  const changed = new Map([...files].filter(([name, text]) => before.get(name) !== text))
  if (changed.size > 0) commitFiles(dir, changed)
}
