import { gunzipSync } from 'node:zlib'
import { escapeRegExp } from '../escape-reg-exp.ts'
import { PATH_START } from '../scenario/data-paths.ts'
import { andMore, type ReportFault } from '../scenario/report-fault.ts'
import { decode, type FileContent, type ScenarioFiles } from '../scenario/tree.ts'
import { findIn, type Search } from './find-secrets.ts'
import { streamsOf } from './joined-streams.ts'
import { lastAtMost, type Reading, verbatim } from './reading.ts'
import { type Kind, REVOKE, SHAPES } from './shapes.ts'
import { valuePattern } from './value-pattern.ts'

/** What no fixture may hold besides what looks like a key by its shape. `name` is the variable that holds the value. */
export interface Secrets {
  values: readonly { name: string; value: string }[]
  home?: string | undefined
  user?: string | undefined
}

/** A secret as a file has it. */
export interface FoundText {
  what: string
  text: string
}

/** User names that many machines share, and that are words besides. */
const SHARED_USERS: ReadonlySet<string> = new Set(
  'root admin administrator user guest node runner runneradmin ubuntu debian vagrant docker jenkins gitlab'.split(' '),
)

/** One text of a fixture in which secrets are looked for: a file, or the name of one. */
export interface Source {
  path: string
  /** Nothing for a name. */
  lineOf?: (offset: number) => number
  /** The text as it is, and with its streams joined. */
  readings: readonly Reading[]
}

/**
 * Looks for secrets in every file and in its name, those of the workspace too, and in the scenario's name. A file is read as it is, with its escapes
 * undone, and with its streams joined. Messages name file, line and kind, never the value.
 *
 * @param isStreamed whether a file may hold a stream in pieces
 * @returns the texts that were found, which no message may quote
 */
export function checkSecrets(
  scenario: ScenarioFiles,
  secrets: Secrets | undefined,
  isStreamed: (path: string) => boolean,
  report: ReportFault,
): FoundText[] {
  const owner = ownerKinds(secrets)
  const searches = searchesFor(secrets)
  const texts = new Map<string, FoundText>()
  for (const source of sourcesOf(scenario, isStreamed)) {
    const ofFile = source.lineOf ? [...searches, ...owner] : searches
    // Put together of pieces, the name of a person is a word.
    const finds = source.readings.flatMap((reading, i) => findIn(reading, i === 0 ? ofFile : searches))
    for (const { what, advice } of ofFile) {
      const found = finds.filter((find) => find.what === what)
      if (advice === REVOKE) for (const text of found.flatMap((find) => find.texts)) texts.set(text, { what, text })
      reportFinds(source, what, advice, found, report)
    }
  }
  return [...texts.values()]
}

/** Reports one kind of secret in one text, once. */
export function reportFinds(
  { path, lineOf }: Source,
  what: string,
  advice: string,
  found: readonly { start: number }[],
  report: ReportFault,
): void {
  if (!found[0]) return
  if (lineOf) {
    const lines = [...new Set(found.map(({ start }) => lineOf(start)))].sort((a, b) => a - b)
    report(path, `holds ${what}${andMore(lines.length)}; ${advice}`, lines[0])
  } else {
    report(path, `its name holds ${what}; ${advice}`)
  }
}

/** What secrets are looked for in: the name of the scenario, and of each file its name and its text. */
export function sourcesOf({ name, files }: ScenarioFiles, isStreamed: (path: string) => boolean): Source[] {
  const ofFiles = [...files].flatMap(([path, content]) => {
    const text = toText(content)
    const streams = isStreamed(path) ? streamsOf(text) : undefined
    return [
      { path, readings: [verbatim(path)] },
      { path, lineOf: linesIn(text), readings: [verbatim(text), ...(streams ? [streams] : [])] },
    ]
  })
  return [{ path: '', readings: [verbatim(name)] }, ...ofFiles]
}

/** What no fixture may hold: the shapes of secrets, and the values of this machine. */
export function searchesFor(secrets: Secrets | undefined): Search[] {
  const values = (secrets?.values ?? []).flatMap(({ name, value }) => {
    const found = valuePattern(value)
    return found ? [{ what: `the value of ${name}`, ...found, advice: REVOKE }] : []
  })
  return [...SHAPES, ...values]
}

/** The files that cannot be searched: they are not text. */
export function opaqueFiles(files: ScenarioFiles['files']): string[] {
  return [...files].flatMap(([path, content]) => (isOpaque(content) ? [path] : []))
}

function ownerKinds({ home, user }: Secrets = { values: [] }): Kind[] {
  const kinds: Kind[] = []
  const segments = (home ?? '').split(/[\\/]+/).filter((segment) => segment !== '')
  if (home !== undefined && segments.length > 0) {
    const path = segments.map(escapeRegExp).join('[\\\\/]{1,8}')
    const pattern = new RegExp(`${PATH_START}${/^[\\/]/.test(home) ? '[\\\\/]{1,8}' : ''}${path}(?![\\w-]|\\.\\w)`, 'g')
    kinds.push({ what: "the user's home directory", pattern, advice: 'a fixture has {{home}} there' })
  }
  if (user !== undefined && user.length > 2 && !SHARED_USERS.has(user.toLowerCase())) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${escapeRegExp(user)}(?![\\p{L}\\p{N}_])`, 'gu')
    kinds.push({ what: "the user's name", pattern, advice: 'take it out' })
  }
  return kinds
}

/** Finds the line of an offset, from 1. */
function linesIn(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => lastAtMost(starts, offset) + 1
}

/** Bytes that are no UTF-8 stand for themselves; UTF-16 then has NULs between its letters, which are read over. */
function toText(content: FileContent): string {
  const read = unpack(content)
  return typeof read === 'string' ? read : Buffer.from(read).toString('latin1')
}

/** Whether a file cannot be looked into, since it is no text. */
export function isOpaque(content: FileContent): boolean {
  const read = unpack(content)
  return typeof read !== 'string' && !isWideText(read)
}

/** More than this is not unpacked: a few bytes may hold gigabytes. */
const LONGEST_UNPACKED = 16 * 1024 ** 2

/** What gzip packed, or the bytes themselves. */
function unpack(content: FileContent): FileContent {
  if (typeof content === 'string' || content[0] !== 0x1f || content[1] !== 0x8b) return content
  try {
    return decode(gunzipSync(content, { maxOutputLength: LONGEST_UNPACKED }))
  } catch {
    return content
  }
}

/** Whether bytes are UTF-16, of which every other byte is mostly NUL. */
function isWideText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 4096)
  const nulsAt = (parity: number) => sample.filter((byte, i) => i % 2 === parity && byte === 0).length
  return Math.abs(nulsAt(0) - nulsAt(1)) > sample.length / 4
}
