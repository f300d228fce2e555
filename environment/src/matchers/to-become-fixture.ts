import type { MatcherFunction } from 'expect'
import { judgeGolden } from '../compare/golden.ts'
import type { AcpGlobal } from '../index.ts'
import { readGolden } from './read-golden.ts'
import { asScenarioRun } from './received.ts'
import { serializeTranscript, withSnapshotState } from './serialize.ts'

/**
 * Makes the draft of a run the scenario's fixture. A golden that is new or has another text now counts in Jest's summary,
 * as under `-u`.
 */
export function toBecomeFixture(acp: Pick<AcpGlobal, 'keep'>): MatcherFunction {
  return function (received) {
    const run = asScenarioRun(received, 'toBecomeFixture')
    const verdict = judgeGolden(readGolden(run.scenario.dir), serializeTranscript(this, run), 'all')
    acp.keep()
    if (verdict !== 'matches') withSnapshotState(this).snapshotState[verdict === 'add' ? 'added' : 'updated']++
    return { pass: true, message: () => '' }
  }
}
