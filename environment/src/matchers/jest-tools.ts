import type { MatcherContext } from 'expect'
import type { Context } from 'jest-snapshot'
import { escapeControls } from '../escape-controls.ts'
import type { JudgeTools } from '../record/judge-run.ts'

/** Jest's `expect` has the snapshot state of the test file; the `expect` package alone does not. */
export function withSnapshotState(context: MatcherContext): MatcherContext & Context {
  if (isSnapshotContext(context)) return context
  throw new Error('this matcher needs the expect of Jest, which keeps snapshots')
}

function isSnapshotContext(context: MatcherContext): context is MatcherContext & Context {
  return 'snapshotState' in context
}

const DIFF_OPTIONS = { aAnnotation: 'Expected', bAnnotation: 'Received', expand: false, contextLines: 2 } as const

/** What the environment needs from Jest to print and compare a run. */
export function jestTools(context: MatcherContext): JudgeTools {
  const { snapshotState, utils } = withSnapshotState(context)
  return {
    // This mode of SnapshotState only serializes: it does not count or write.
    serialize: (received) =>
      snapshotState.match({ testName: 'a surface', received, isInline: true, testFailing: true }).actual,
    diff: (expected, got) => utils.diff(escapeControls(expected), escapeControls(got), DIFF_OPTIONS),
  }
}
