import type { MatcherFunction } from 'expect'
import type { AcpGlobal } from '../index.ts'
import { asScenarioRun } from './received.ts'
import { serializeTranscript } from './serialize.ts'

/** Makes what a run left a draft of the scenario's fixture, which is replayed next. The fixture stays as it is. */
export function toDraftFixture(acp: Pick<AcpGlobal, 'draft'>): MatcherFunction {
  return function (received) {
    const run = asScenarioRun(received, 'toDraftFixture')
    acp.draft(run, serializeTranscript(this, run))
    return { pass: true, message: () => '' }
  }
}
