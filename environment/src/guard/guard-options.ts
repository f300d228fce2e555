import type { Action } from '../action.cjs'
import type { JestCommand } from '../command/hint.ts'
import type { LogFormat } from '../logs/log-format.ts'
import type { SearchByRules } from '../secrets/check-by-rules.ts'
import type { Secrets } from '../secrets/check-secrets.ts'

/** What the guard judges a fixture by. */
export interface GuardOptions {
  /** What is about to be done: what it writes anew need not be there, nor be right. `verify` when left out. */
  action?: Action | undefined
  /** Whether the run writes files that are missing: not under `--ci`. */
  createsMissing?: boolean | undefined
  /** Whether the tree is all there is, so that what is in no scenario of it is missing. */
  complete?: boolean | undefined
  /** The commands that messages name. One that works in any project when left out. */
  command?: JestCommand | undefined
  /** The format of the session logs. That of `packages/session` when left out. */
  logFormat?: LogFormat | undefined
  /** What no fixture may hold, besides what looks like a key by its shape. */
  secrets?: Secrets | undefined
  /** Looks for more kinds of secrets. It takes a while: only where a fixture is written, and in `npm run fixtures`. */
  rules?: SearchByRules | undefined
}
