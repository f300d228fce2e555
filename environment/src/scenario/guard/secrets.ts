import type { FixtureFault } from '../fault.ts'
import { type FileContent, linesOf, type ScenarioFiles } from '../tree.ts'
import { escapeRegExp, PATH_START } from './paths.ts'
import { andMore, type Report } from './report.ts'

/** What no fixture may hold besides what looks like a key by its shape. `name` is the variable that holds the value. */
export interface Secrets {
  values: readonly { name: string; value: string }[]
  home?: string | undefined
  user?: string | undefined
}

/** One kind of secret, and what to do about it. */
interface Kind {
  what: string
  pattern: RegExp
  advice: string
}

const REVOKE = 'take it out, and revoke it if it ever left this machine'

const SHAPES: readonly Kind[] = [
  { what: 'an API key (sk-…)', pattern: /\bsk-[A-Za-z0-9_-]{20,}/g, advice: REVOKE },
  { what: 'a bearer token', pattern: /\bBearer\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi, advice: REVOKE },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, advice: REVOKE },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/g, advice: REVOKE },
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g, advice: REVOKE },
]

/** A shorter value is a word that may stand anywhere (`true`, `us`), and tells nothing. */
const SHORTEST_SECRET = 6

/** User names that many machines share, and that are words besides. */
const SHARED_USERS: ReadonlySet<string> = new Set(
  'root admin administrator user guest node runner runneradmin ubuntu debian vagrant docker jenkins gitlab'.split(' '),
)

/** Looks for secrets in every file, those of the workspace too. Messages name file, line and kind, never the value. */
export function checkSecrets(files: ScenarioFiles['files'], secrets: Secrets | undefined, report: Report): void {
  const kinds = [...SHAPES, ...valueKinds(secrets), ...ownerKinds(secrets)]
  for (const [path, content] of files) {
    const lines = linesOf(toText(content))
    for (const { what, pattern, advice } of kinds) {
      const found = lines.flatMap((line, i) => (line.search(pattern) === -1 ? [] : [i + 1]))
      if (found[0] !== undefined) report(path, `holds ${what}${andMore(found.length)}; ${advice}`, found[0])
    }
  }
}

/** Takes secrets out of messages that quote a fixture. */
export function hideSecrets(faults: readonly FixtureFault[], secrets: Secrets | undefined): FixtureFault[] {
  const kinds = [...SHAPES, ...valueKinds(secrets)]
  return faults.map((fault) => ({
    ...fault,
    message: kinds.reduce((message, { what, pattern }) => message.replace(pattern, `[${what}]`), fault.message),
  }))
}

function valueKinds(secrets: Secrets | undefined): Kind[] {
  return (secrets?.values ?? [])
    .filter(({ value }) => value.length >= SHORTEST_SECRET)
    .map(({ name, value }) => ({ what: `the value of ${name}`, pattern: inJson(value), advice: REVOKE }))
}

function ownerKinds({ home, user }: Secrets = { values: [] }): Kind[] {
  const kinds: Kind[] = []
  const segments = (home ?? '').split(/[\\/]+/).filter((segment) => segment !== '')
  if (home !== undefined && segments.length > 0) {
    const path = segments.map(escapeRegExp).join('[\\\\/]+')
    const pattern = new RegExp(`${PATH_START}${/^[\\/]/.test(home) ? '[\\\\/]+' : ''}${path}(?![\\w-]|\\.\\w)`, 'g')
    kinds.push({ what: "the user's home directory", pattern, advice: 'a fixture has {{home}} there' })
  }
  if (user !== undefined && user.length > 2 && !SHARED_USERS.has(user.toLowerCase())) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${escapeRegExp(user)}(?![\\p{L}\\p{N}_])`, 'gu')
    kinds.push({ what: "the user's name", pattern, advice: 'take it out' })
  }
  return kinds
}

/** Matches the value as it is, and as a JSON string has it. */
function inJson(value: string): RegExp {
  const escaped = JSON.stringify(value).slice(1, -1)
  return new RegExp([...new Set([value, escaped])].map(escapeRegExp).join('|'), 'g')
}

function toText(content: FileContent): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
}
