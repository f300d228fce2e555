/**
 * The volatile paths that are known, by token name: `{ cwd: ['/tmp/x/cwd'], home: [...], sessions: [...], tmp: [...] }`.
 * A name may have several aliases: a path and its realpath, a Windows short name. Paths are absolute; a root (`/`, `C:\`)
 * and a path that is not absolute are no volatile paths, and are left alone.
 */
export interface KnownPaths {
  readonly [token: string]: readonly string[]
}

/** What a run is known to have made up. */
export interface Volatile {
  readonly paths?: KnownPaths | undefined
  /** The temp directories of the host. Names directly in them, and in `paths.tmp`, have random parts. */
  readonly tempRoots?: readonly string[] | undefined
  /** Paths in a temp directory that the user or the model chose: their names are not random. */
  readonly dataPaths?: readonly string[] | undefined
  /** Whether the version that the agent says of itself becomes a token. */
  readonly agentVersion?: boolean | undefined
  /** Ids of the requests that the client sent, in the order sent: response ids are numbered in this order, not in the order of arrival. */
  readonly requestIds?: readonly (string | number)[] | undefined
}
