import type { MatcherFunction } from 'expect'
import type { AcpGlobal } from '../acp-global.ts'
import { jestTools, withSnapshotState } from './jest-tools.ts'
import { asScenarioRun } from './received.ts'

/**
 * Compares one surface of a run with the scenario's fixture. The transcript counts as Jest counts a snapshot: written when
 * new, updated under `-u`, never under `--ci`. If the fixture guard refuses a file, it is not written, and the test fails.
 */
export function toMatchSurface(acp: Pick<AcpGlobal, 'judge'>): MatcherFunction<[title: unknown]> {
  return function (received, title) {
    const run = asScenarioRun(received, 'toMatchSurface')
    const { snapshotState: state } = withSnapshotState(this)
    // So that the failures of all surfaces are reported together.
    this.dontThrow?.()
    const outcome = acp.judge(run, jestTools(this)).find((outcome) => outcome.title === title)
    if (!outcome) throw new Error(`no surface ${String(title)}`)
    if (outcome.verdict !== 'differs') {
      if (outcome.countsAsSnapshot) state[COUNTERS[outcome.verdict]]++
      return { pass: true, message: () => '' }
    }
    const { message, expected, actual } = outcome
    if (outcome.countsAsSnapshot)
      state.fail(this.currentTestName ?? '', actual, outcome.title, this.currentTestIdentity?.())
    return { pass: false, message: () => message, expected, actual, name: 'toMatchSurface' }
  }
}

const COUNTERS = { matches: 'matched', added: 'added', updated: 'updated' } as const
