import type { MatcherContext } from 'expect'
import type { Context } from 'jest-snapshot'
import type { ScenarioRun } from '../run/run-scenario.ts'
import { GOLDEN } from '../scenario/files.ts'
import { UsageError } from '../usage-error.ts'

/** Jest's `expect` has the snapshot state of the test file; `expect` alone has none. */
export function withSnapshotState(context: MatcherContext): MatcherContext & Context {
  if (isSnapshotContext(context)) return context
  throw new Error('this matcher needs the expect of Jest, which keeps snapshots')
}

function isSnapshotContext(context: MatcherContext): context is MatcherContext & Context {
  return 'snapshotState' in context
}

/**
 * The text of the transcript, made by the project's `snapshotSerializers`.
 *
 * @throws UsageError unless each line is JSON, as on the wire
 */
export function serializeTranscript(context: MatcherContext, { scenario, transcript }: ScenarioRun): string {
  // The pure mode of SnapshotState: it serializes, and neither counts nor writes.
  const pure = { testName: GOLDEN, received: transcript, isInline: true, testFailing: true }
  const text = `${withSnapshotState(context).snapshotState.match(pure).actual.trimEnd()}\n`
  for (const [i, line] of text.trimEnd().split('\n').entries()) {
    try {
      JSON.parse(line)
    } catch {
      const hint = "add snapshotSerializers: ['jest-serializer-acp/plugin'] to the Jest config"
      throw new UsageError(`scenario ${scenario.name}: line ${i + 1} of the transcript is not JSON; ${hint}`)
    }
  }
  return text
}
