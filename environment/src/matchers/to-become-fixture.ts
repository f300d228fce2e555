import type { MatcherFunction } from 'expect'
import { judgeGolden } from '../compare/golden.ts'
import type { AcpGlobal } from '../index.ts'
import { readGolden } from './read-golden.ts'
import { asScenarioRun } from './received.ts'
import { serializeTranscript, withSnapshotState } from './serialize.ts'

/**
 * Makes what a run left the scenario's fixture. A golden that is new or has another text now counts in Jest's summary,
 * as under `-u`.
 */
export function toBecomeFixture(write: AcpGlobal['write']): MatcherFunction {
  return function (received) {
    const run = asScenarioRun(received, 'toBecomeFixture')
    const golden = serializeTranscript(this, run)
    const verdict = judgeGolden(readGolden(run.scenario.dir), golden, 'all')
    write(run, golden)
    if (verdict !== 'matches') withSnapshotState(this).snapshotState[verdict === 'add' ? 'added' : 'updated']++
    return { pass: true, message: () => '' }
  }
}
