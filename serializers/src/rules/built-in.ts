/** A rule of the normaliser, by the name that options, messages and documentation use. */
interface BuiltInRule {
  readonly name: string
  /** Whether it applies unless `off` names it; otherwise it applies only if `on` names it. */
  readonly byDefault: boolean
  /** The names of its tokens. No added rule may use them. */
  readonly tokens: readonly string[]
}

/** Every built-in rule. `docs/normalizing.md` has the same list. */
export const BUILT_IN_RULES = [
  {
    name: 'ids',
    byDefault: true,
    tokens: [
      ...['sessionId', 'messageId', 'toolCallId', 'terminalId', 'elicitationId', 'compactionId'],
      ...['turnId', 'approvalId'],
    ],
  },
  { name: 'rpc-ids', byDefault: true, tokens: [] },
  {
    name: 'paths',
    byDefault: true,
    tokens: ['cwd', 'home', 'sessions', 'tmp', 'root', 'hostTmp', 'report', 'fixture', 'model'],
  },
  { name: 'temp-names', byDefault: true, tokens: ['tempName'] },
  { name: 'ports', byDefault: true, tokens: ['port'] },
  { name: 'clocks', byDefault: true, tokens: ['time'] },
  { name: 'durations', byDefault: true, tokens: [] },
  { name: 'request-headers', byDefault: true, tokens: ['system', 'tools'] },
  { name: 'agent-version', byDefault: false, tokens: ['agentVersion'] },
  { name: 'token-counts', byDefault: false, tokens: [] },
  { name: 'chunks', byDefault: false, tokens: [] },
  { name: 'repeated-updates', byDefault: false, tokens: [] },
] as const satisfies readonly BuiltInRule[]

export type RuleName = (typeof BUILT_IN_RULES)[number]['name']

/** The rule of each token that a built-in rule makes. */
export const RULE_OF_TOKEN: ReadonlyMap<string, RuleName> = new Map(
  BUILT_IN_RULES.flatMap(({ name, tokens }) => tokens.map((token) => [token, name] as const)),
)
