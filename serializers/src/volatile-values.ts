import type { NormalizeRules } from './normalize-rules.ts'
import type { OpenedSession } from './rules/unordered.ts'

/**
 * The paths to replace, by token name: `{ cwd: ['/tmp/x/cwd'], home: [...], sessions: [...], tmp: [...] }`. A name may
 * have several aliases: a path and its real path, a Windows short name. Paths must be absolute; a root (`/`, `C:\`) and a
 * relative path are ignored.
 */
export interface KnownPaths {
  readonly [token: string]: readonly string[]
}

/** The values that are known to differ between runs. Everything is optional. */
export interface Volatile {
  readonly paths?: KnownPaths | undefined
  /** The temp directories of the host. Random parts of names directly in them, and in `paths.tmp`, become tokens. */
  readonly tempRoots?: readonly string[] | undefined
  /** Paths in a temp directory that the user or the model chose. Their names stay. */
  readonly dataPaths?: readonly string[] | undefined
  /** The project's rules; without them, the built-in ones apply that are on by default. */
  readonly rules?: NormalizeRules | undefined
  /** The ports that the run gave to the agent, in the order of their tokens. */
  readonly ports?: readonly number[] | undefined
  /**
   * The ids of the client's requests, in the order sent. Response ids are numbered in this order, not in the order in
   * which the responses arrive.
   */
  readonly requestIds?: readonly (string | number)[] | undefined
  /** The ids of the client's sessions, in order: frames and logs show theirs, another text does not. */
  readonly sessionIds?: readonly string[] | undefined
  /** The client's requests that opened a session again, such as `session/load`. */
  readonly opened?: readonly OpenedSession[] | undefined
}
