import type { SurfaceRun } from '../record/printed-run.ts'
import { UsageError } from '../usage-error.ts'

/** The received value of our matchers. @throws UsageError for anything but the result of `acp.run()` */
export function asScenarioRun(received: unknown, matcher: string): SurfaceRun {
  if (isScenarioRun(received)) return received
  throw new UsageError(`${matcher} takes what acp.run() resolves with, got ${typeof received}`)
}

function isScenarioRun(value: unknown): value is SurfaceRun {
  return typeof value === 'object' && value !== null && 'captures' in value && 'scenario' in value
}
