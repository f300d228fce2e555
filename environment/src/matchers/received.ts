import type { ScenarioRun } from '../run/run-scenario.ts'
import { UsageError } from '../usage-error.ts'

/** The received value of our matchers. @throws UsageError for anything but the result of `acp.run()` */
export function asScenarioRun(received: unknown, matcher: string): ScenarioRun {
  if (isScenarioRun(received)) return received
  throw new UsageError(`${matcher} takes what acp.run() resolves with, got ${typeof received}`)
}

function isScenarioRun(value: unknown): value is ScenarioRun {
  return typeof value === 'object' && value !== null && 'transcript' in value && 'scenario' in value
}
