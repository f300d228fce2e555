import type { MatcherFunction } from 'expect'
import { normalizeSessionLogs } from 'jest-serializer-acp'
import { firstDifference } from '../compare/difference.ts'
import { describeMismatch } from '../compare/message.ts'
import { escapeControls } from '../escape-controls.ts'
import { describeStderr } from '../run/failure.ts'
import type { ScenarioRun } from '../run/run-scenario.ts'
import { eventPlace } from './place.ts'
import { asScenarioRun } from './received.ts'
import { DIFF_OPTIONS } from './to-match-golden.ts'

/**
 * Compares the logs that a run persisted with the scenario's `session*.jsonl`, both normalised. No flag of Jest's
 * rewrites these. A log without events says nothing of the agent, and is left out on both sides.
 */
export const toEqualSessionLogs: MatcherFunction = function (received) {
  const run = asScenarioRun(received, 'toEqualSessionLogs')
  this.dontThrow?.()
  // The scenario is new: this run has just written them, or was refused to.
  if (run.scenario.logs.length === 0) return { pass: true, message: () => '' }
  const files = run.scenario.logs.filter(({ text }) => hasEvents(text))
  const expected = normalizeSessionLogs(files.map(({ text }) => text))
  const actual = normalizeSessionLogs(run.logs.logs.filter(hasEvents), run.logs.volatile)
  if (expected.length !== actual.length) {
    const counts = `expected ${expected.length} session logs with events, as the fixture has; got ${actual.length}`
    const said = [`scenario ${run.scenario.name}: ${counts}`, describeStderr(run.stderr), NEXT(run)]
    return { pass: false, message: () => said.join('\n\n') }
  }
  for (const [i, { file }] of files.entries()) {
    const [want = '', got = ''] = [expected[i], actual[i]]
    const difference = firstDifference(want, got)
    if (!difference) continue
    const message = () =>
      describeMismatch({
        scenario: run.scenario.name,
        headline: `the session log differs from ${file}`,
        difference,
        place: eventPlace(file, difference.line, want.split('\n')[difference.line]),
        diff: this.utils.diff(escapeControls(want), escapeControls(got), DIFF_OPTIONS),
        stderr: run.stderr,
        next: NEXT(run),
      })
    return { pass: false, message, expected: want, actual: got, name: 'toEqualSessionLogs' }
  }
  return { pass: true, message: () => '' }
}

const NEXT = ({ scenario }: ScenarioRun) =>
  `If the agent's own behaviour changed on purpose: REFRESH=1 ${scenario.command(scenario.dir)}`

function hasEvents(text: string): boolean {
  return text.trimEnd().includes('\n')
}
