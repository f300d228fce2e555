import type { MatcherFunction } from 'expect'
import type { AcpGlobal } from '../acp-global.ts'
import { jestTools } from './jest-tools.ts'
import { asScenarioRun } from './received.ts'

/** Makes a run the draft of the scenario's fixture, which is replayed next. The fixture does not change. */
export function toDraftFixture(acp: Pick<AcpGlobal, 'draft'>): MatcherFunction {
  return function (received) {
    acp.draft(asScenarioRun(received, 'toDraftFixture'), jestTools(this))
    return { pass: true, message: () => '' }
  }
}
