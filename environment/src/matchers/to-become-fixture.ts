import type { MatcherFunction } from 'expect'
import { commitFiles } from '../record/commit.ts'
import { composeFixture } from '../record/compose.ts'
import { checkFixture } from '../scenario/check.ts'
import { asScenarioRun } from './received.ts'
import { serializeTranscript } from './serialize.ts'

/**
 * Writes what a run left as the scenario's fixture, all files together. What the guard would reject is not written:
 * then nothing is.
 */
export const toBecomeFixture: MatcherFunction = function (received) {
  const run = asScenarioRun(received, 'toBecomeFixture')
  const files = composeFixture(run, serializeTranscript(this, run))
  checkFixture(run.scenario.dir, files)
  commitFiles(run.scenario.dir, files)
  return { pass: true, message: () => '' }
}
