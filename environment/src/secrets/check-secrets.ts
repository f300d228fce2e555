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

/** Secrets of this machine, which no fixture may contain. `name` is the environment variable of the value. */
export interface Secrets {
  values: readonly { name: string; value: string }[]
  home?: string | undefined
  user?: string | undefined
}

/** A secret found in a file: its kind, and its text there. */
export interface FoundText {
  what: string
  text: string
}

/** User names that are common, or normal words: they are not searched for. */
const SHARED_USERS: ReadonlySet<string> = new Set(
  'root admin administrator user guest node runner runneradmin ubuntu debian vagrant docker jenkins gitlab'.split(' '),
)

/** One text of a fixture to search: a file's content or its name. */
export interface Source {
  path: string
  /** The line of an offset, from 1. Absent for a name. */
  lineOf?: (offset: number) => number
  /** The unchanged text and, for a file with streams, the joined streams. */
  readings: readonly Reading[]
}

/**
 * Searches every file and file name (workspace included) and the scenario's name for secrets. A file is searched as it
 * is, decoded, and with its streams joined. Messages name file, line and kind, never the value.
 *
 * @param isStreamed whether a file may contain a stream in pieces
 * @returns the secrets that were found, which no message may quote
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
    // In joined streams, a user name may be part of normal text, so only the first reading is searched for it.
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

/** The texts to search: the scenario's name, and the name and content of each file. */
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

/** The searches for everything that no fixture may contain: known shapes, and the values of this machine. */
export function searchesFor(secrets: Secrets | undefined): Search[] {
  const values = (secrets?.values ?? []).flatMap(({ name, value }) => {
    const found = valuePattern(value)
    return found ? [{ what: `the value of ${name}`, ...found, advice: REVOKE }] : []
  })
  return [...SHAPES, ...values]
}

/** The files that cannot be searched because they are not text. */
export function opaqueFiles(files: ScenarioFiles['files']): string[] {
  return [...files].flatMap(([path, content]) => (isOpaque(content) ? [path] : []))
}

function ownerKinds({ home, user }: Secrets = { values: [] }): Kind[] {
  const kinds: Kind[] = []
  const segments = (home ?? '').split(/[\\/]+/).filter((segment) => segment !== '')
  if (home !== undefined && segments.length > 0) {
    const path = segments.map(escapeRegExp).join('[\\\\/]{1,8}')
    const pattern = new RegExp(`${PATH_START}${/^[\\/]/.test(home) ? '[\\\\/]{1,8}' : ''}${path}(?![\\w-]|\\.\\w)`, 'g')
    kinds.push({ what: "the user's home directory", pattern, advice: 'use {{home}}' })
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

/** Bytes that are not UTF-8 are read as Latin-1. UTF-16 then has NULs between its letters, which are skipped. */
function toText(content: FileContent): string {
  const read = unpack(content)
  return typeof read === 'string' ? read : Buffer.from(read).toString('latin1')
}

/** Whether a file cannot be searched because it is not text. */
export function isOpaque(content: FileContent): boolean {
  const read = unpack(content)
  return typeof read !== 'string' && !isWideText(read)
}

/** Longer contents are not unpacked: a few bytes of gzip may hold gigabytes. */
const LONGEST_UNPACKED = 16 * 1024 ** 2

/** The unpacked content of a gzip file, otherwise the content itself. */
function unpack(content: FileContent): FileContent {
  if (typeof content === 'string' || content[0] !== 0x1f || content[1] !== 0x8b) return content
  try {
    return decode(gunzipSync(content, { maxOutputLength: LONGEST_UNPACKED }))
  } catch {
    return content
  }
}

/** Whether bytes are UTF-16 text, where about every other byte is NUL. */
function isWideText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 4096)
  const nulsAt = (parity: number) => sample.filter((byte, i) => i % 2 === parity && byte === 0).length
  return Math.abs(nulsAt(0) - nulsAt(1)) > sample.length / 4
}
