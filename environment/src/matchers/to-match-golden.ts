import type { MatcherFunction } from 'expect'
import { firstDifference } from '../compare/difference.ts'
import { judgeGolden } from '../compare/golden.ts'
import { describeMismatch } from '../compare/message.ts'
import { escapeControls } from '../escape-controls.ts'
import type { AcpGlobal } from '../index.ts'
import type { ScenarioRun } from '../run/run-scenario.ts'
import { GOLDEN } from '../scenario/files.ts'
import { framePlace, isTrailing } from './place.ts'
import { readGolden } from './read-golden.ts'
import { asScenarioRun } from './received.ts'
import { serializeTranscript, withSnapshotState } from './serialize.ts'

/**
 * Compares a run's transcript with the scenario's `stdout.golden.jsonl`, and counts it as Jest counts a snapshot:
 * written when new, updated under `-u`, never under `--ci`. What the fixture guard refuses is not written, and fails.
 */
export function toMatchGolden(acp: Pick<AcpGlobal, 'update' | 'writeReplayed'>): MatcherFunction {
  return function (received) {
    const run = asScenarioRun(received, 'toMatchGolden')
    const { snapshotState: state, utils } = withSnapshotState(this)
    // A failure is reported with those of the other surface.
    this.dontThrow?.()
    const actual = serializeTranscript(this, run)
    const expected = readGolden(run.scenario.dir)
    const fail = () => state.fail(this.currentTestName ?? '', run.transcript, GOLDEN, this.currentTestIdentity?.())
    const verdict = judgeGolden(expected, actual, acp.update)
    switch (verdict) {
      case 'matches':
      case 'add':
      case 'update': {
        // Also where the golden matches: its log may not be there yet.
        const writes = verdict !== 'matches' || (run.scenario.logs.length === 0 && acp.update !== 'none')
        const refused = writes ? attempt(() => acp.writeReplayed(run, actual)) : undefined
        if (refused) {
          fail()
          return { pass: false, message: () => refused.message, name: 'toMatchGolden' }
        }
        state[verdict === 'add' ? 'added' : verdict === 'update' ? 'updated' : 'matched']++
        return { pass: true, message: () => '' }
      }
    }
    fail()
    const message = () =>
      expected === undefined
        ? `scenario ${run.scenario.name}: ${GOLDEN} is missing, and --ci writes none. To create it: ${run.scenario.command(run.scenario.dir)}`
        : describe(run, expected, actual, utils.diff(escapeControls(expected), escapeControls(actual), DIFF_OPTIONS))
    return { pass: false, message, ...(expected !== undefined && { expected }), actual, name: 'toMatchGolden' }
  }
}

/** Not `instanceof Error`: the error is of the environment's realm, and this is the sandbox. */
function attempt(work: () => void): { message: string } | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return {
      message:
        typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error),
    }
  }
}

export const DIFF_OPTIONS = {
  aAnnotation: 'Expected',
  bAnnotation: 'Received',
  expand: false,
  contextLines: 2,
} as const

function describe(run: ScenarioRun, expected: string, actual: string, diff: string | null): string {
  const difference = firstDifference(expected, actual)
  if (!difference) throw new Error('a golden that differs has a difference')
  return describeMismatch({
    scenario: run.scenario.name,
    headline: `the transcript differs from ${GOLDEN}`,
    difference,
    place: framePlace(run, difference.line),
    diff,
    stderr: run.stderr,
    next: isTrailing(difference.line, expected, actual)
      ? TRAILING
      : `If this is wanted: ${run.scenario.command(run.scenario.dir, '-u')}`,
  })
}

const TRAILING =
  'This frame comes after the last response, where nothing says how long to wait for it: it may come in one run and not in ' +
  'the next. Wait for it with a step (waitForUpdate, or settle at the end), or raise deadlines.quietMs in ' +
  'testEnvironmentOptions.acp. Then compare again'
