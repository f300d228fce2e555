/** What a file of a scenario directory is. */
export type FileRole = 'input' | 'log' | 'golden' | 'override' | 'system pin' | 'tools pin' | 'workspace'

export const INPUT = 'input.json'
export const LOG = 'session.jsonl'
export const GOLDEN = 'stdout.golden.jsonl'
export const OVERRIDE = 'replay.override.json'
export const SYSTEM_PIN = 'system-prompt.golden.md'
export const TOOLS_PIN = 'tool-schemas.golden.json'
export const WORKSPACE = 'workspace'

/** The one file that may lie beside the scenarios. */
export const README = 'README.md'

/** How the name of a directory begins in which a write is made ready, beside the scenarios. */
export const STAGING = '.acp-staging-'

/** Every file that may lie in a scenario directory. Any other file is unknown. */
const FILES: readonly { role: FileRole; name: string; pattern: RegExp }[] = [
  { role: 'input', name: INPUT, pattern: /^input\.json$/ },
  { role: 'log', name: `${LOG} (session.1.jsonl …)`, pattern: /^session(?:\.[1-9]\d*)?\.jsonl$/ },
  { role: 'golden', name: GOLDEN, pattern: /^stdout\.golden\.jsonl$/ },
  { role: 'override', name: OVERRIDE, pattern: /^replay\.override\.json$/ },
  { role: 'system pin', name: SYSTEM_PIN, pattern: /^system-prompt\.golden\.md$/ },
  { role: 'tools pin', name: TOOLS_PIN, pattern: /^tool-schemas\.golden\.json$/ },
  { role: 'workspace', name: `${WORKSPACE}/`, pattern: /^workspace\/./s },
]

/** The names of {@link FILES}, for messages. */
export const FILE_NAMES = FILES.map((file) => file.name).join(', ')

/** What the file is, by its path inside the scenario directory, with `/`; nothing for an unknown file. */
export function roleOf(path: string): FileRole | undefined {
  return FILES.find((file) => file.pattern.test(path))?.role
}

/** The name of the log of the run's session `ordinal`, from 0: `session.jsonl`, `session.1.jsonl` … */
export function logName(ordinal: number): string {
  return ordinal === 0 ? LOG : `session.${ordinal}.jsonl`
}

/** The ordinal of the session that a log is of. */
export function logOrdinal(name: string): number {
  return name === LOG ? 0 : Number(name.split('.')[1])
}
