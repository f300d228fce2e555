import type { MatcherFunction } from 'expect'
import type { AcpGlobal } from '../acp-global.ts'
import { withSnapshotState } from './jest-tools.ts'
import { asScenarioRun } from './received.ts'

/**
 * Makes the draft of a run the scenario's fixture. A new or changed golden counts in Jest's summary, as under
 * `-u`.
 */
export function toBecomeFixture(acp: Pick<AcpGlobal, 'keep'>): MatcherFunction {
  return function (received) {
    asScenarioRun(received, 'toBecomeFixture')
    const { snapshotState: state } = withSnapshotState(this)
    for (const verdict of acp.keep()) if (verdict !== 'matches') state[verdict]++
    return { pass: true, message: () => '' }
  }
}
