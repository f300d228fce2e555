import type { Action } from '../action.cjs'
import type { JestCommand } from '../command/hint.ts'
import type { LogFormat } from '../logs/log-format.ts'
import type { SearchByRules } from '../secrets/check-by-rules.ts'
import type { Secrets } from '../secrets/check-secrets.ts'

/** How the guard checks a fixture. */
export interface GuardOptions {
  /** What the run will do: files that it overwrites may be missing or wrong. Default: `verify`. */
  action?: Action | undefined
  /** Whether the run writes missing files: not under `--ci`. */
  createsMissing?: boolean | undefined
  /** Whether the tree is complete, so that missing files and pins are faults. */
  complete?: boolean | undefined
  /** Makes the Jest commands in messages. The default works in any project. */
  command?: JestCommand | undefined
  /** The format of the session logs. Default: that of `packages/session`. */
  logFormat?: LogFormat | undefined
  /** Values that no fixture may contain, in addition to known shapes of secrets. */
  secrets?: Secrets | undefined
  /** Searches for more kinds of secrets. It is slow: use it only before a write and in `npm run fixtures`. */
  rules?: SearchByRules | undefined
}
