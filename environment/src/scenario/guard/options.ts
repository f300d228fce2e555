import type { JestCommand } from '../../command/hint.ts'
import type { Secrets } from './secrets/check.ts'
import type { SearchByRules } from './secrets/rules.ts'

/**
 * What the run does to the fixtures. What it is about to rewrite need not be there, nor be right:
 * `update` (`jest -u`) writes the stdout goldens; `refresh` and `record` write logs, goldens and pins,
 * and `record` does not even read the logs.
 */
export type Run = 'replay' | 'update' | 'refresh' | 'record'

export interface GuardOptions {
  /** `replay` when left out. */
  run?: Run | undefined
  /** Whether the tree is all there is, so that what is in no scenario of it is missing. */
  complete?: boolean | undefined
  /** The commands that messages name. One that works in any project when left out. */
  command?: JestCommand | undefined
  /** Whether the run writes the log of a scenario that has none: one that calls no model needs no recording. */
  createsLog?: boolean | undefined
  /** `false` for an agent that persists no session logs: then none is asked for. */
  sessionLogs?: boolean | undefined
  /** What no fixture may hold, besides what looks like a key by its shape. */
  secrets?: Secrets | undefined
  /** Looks for more kinds of secrets. It takes a while: only where a fixture is written, and in `npm run fixtures`. */
  rules?: SearchByRules | undefined
}
