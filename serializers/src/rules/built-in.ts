/** A rule of the normaliser, by the name that options, messages and documentation use. */
export interface BuiltInRule {
  readonly name: string
  /** Whether it applies unless `off` names it; otherwise it applies only if `on` names it. */
  readonly byDefault: boolean
  /** What it does, to complete "the rule …". */
  readonly does: string
}

/** Every built-in rule. `docs/normalizing.md` has the same list. */
export const BUILT_IN_RULES = [
  { name: 'ids', byDefault: true, does: 'replaces ids of sessions, messages, turns, approvals and calls' },
  { name: 'rpc-ids', byDefault: true, does: 'numbers the ids of JSON-RPC in each direction' },
  { name: 'paths', byDefault: true, does: "replaces the run's own paths" },
  { name: 'temp-names', byDefault: true, does: 'replaces the random part of a name in a temp directory' },
  { name: 'ports', byDefault: true, does: 'replaces a loopback port that the system chose' },
  { name: 'clocks', byDefault: true, does: 'replaces points in time' },
  { name: 'durations', byDefault: true, does: 'replaces measured durations' },
  {
    name: 'request-headers',
    byDefault: true,
    does: 'replaces the system prompt and the tool schemas in a session log',
  },
  { name: 'agent-version', byDefault: false, does: "replaces the agent's version in its answer to initialize" },
  { name: 'token-counts', byDefault: false, does: 'replaces numbers of tokens and costs' },
  { name: 'chunks', byDefault: false, does: 'joins adjacent text chunks of one message' },
  { name: 'repeated-updates', byDefault: false, does: 'keeps one of adjacent identical updates' },
] as const satisfies readonly BuiltInRule[]

export type RuleName = (typeof BUILT_IN_RULES)[number]['name']
