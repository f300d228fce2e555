import type { FixtureFault } from '../../fault.ts'
import { roleOf } from '../../files.ts'
import type { FileContent, ScenarioFiles } from '../../tree.ts'
import { escapeRegExp, PATH_START } from '../paths.ts'
import { andMore, type Report } from '../report.ts'
import { lastAtMost, type Reading, readingsOf, verbatim, withoutSpace } from './reading.ts'
import { type Kind, REVOKE, SHAPES } from './shapes.ts'
import { streamsOf } from './streams.ts'
import { valuePattern } from './values.ts'

/** What no fixture may hold besides what looks like a key by its shape. `name` is the variable that holds the value. */
export interface Secrets {
  values: readonly { name: string; value: string }[]
  home?: string | undefined
  user?: string | undefined
}

/** A kind to look for. `spaceless` when it is looked for in a text without white space. */
interface Search extends Kind {
  spaceless?: boolean
}

/** Where a secret stands in the original text. */
interface Find {
  what: string
  start: number
  end: number
}

/** User names that many machines share, and that are words besides. */
const SHARED_USERS: ReadonlySet<string> = new Set(
  'root admin administrator user guest node runner runneradmin ubuntu debian vagrant docker jenkins gitlab'.split(' '),
)

/**
 * Looks for secrets in every file and in its name, those of the workspace too. A file is read as it is, with its escapes
 * undone, and with its streams joined. Messages name file, line and kind, never the value.
 */
export function checkSecrets(files: ScenarioFiles['files'], secrets: Secrets | undefined, report: Report): void {
  const owner = ownerKinds(secrets)
  const searches = [...SHAPES, ...valueSearches(secrets)]
  for (const [path, content] of files) {
    checkName(path, searches, report)
    const text = toText(content)
    const lineOf = linesIn(text)
    const streams = hasStreams(path) ? streamsOf(text) : undefined
    const finds = [...findIn(verbatim(text), [...searches, ...owner]), ...(streams ? findIn(streams, searches) : [])]
    for (const { what, advice } of [...searches, ...owner]) {
      const found = finds.filter((find) => find.what === what).map(({ start }) => lineOf(start))
      const lines = [...new Set(found)].sort((a, b) => a - b)
      if (lines[0] !== undefined) report(path, `holds ${what}${andMore(lines.length)}; ${advice}`, lines[0])
    }
  }
}

/** Takes secrets out of messages that quote a fixture, and out of the names of files. */
export function hideSecrets(faults: readonly FixtureFault[], secrets: Secrets | undefined): FixtureFault[] {
  const searches = [...SHAPES, ...valueSearches(secrets)]
  const hide = (text: string) => cutOut(text, findIn(verbatim(text), searches), ({ what }) => `[${what}]`)
  return faults.map((fault) => ({ ...fault, file: hide(fault.file), message: hide(fault.message) }))
}

/** Takes values out of a text, however they are encoded there: each becomes `[redacted]`. */
export function redactValues(text: string, values: readonly string[]): string {
  const searches = valueSearches({ values: values.map((value) => ({ name: '', value })) })
  return cutOut(text, findIn(verbatim(text), searches), () => '[redacted]')
}

/** The files of a workspace that cannot be looked into: they are no text. */
export function opaqueFiles(files: ScenarioFiles['files']): string[] {
  return [...files].flatMap(([path, content]) =>
    roleOf(path) === 'workspace' && typeof content !== 'string' && !isWideText(content) ? [path] : [],
  )
}

function checkName(path: string, searches: readonly Search[], report: Report): void {
  const found = findIn(verbatim(path), searches)
  for (const what of new Set(found.map((find) => find.what))) report(path, `its name holds ${what}; ${REVOKE}`)
}

function findIn(start: Reading, searches: readonly Search[]): Find[] {
  if (searches.length === 0) return []
  return readingsOf(start).flatMap((reading) => {
    const dense = withoutSpace(reading)
    return searches.flatMap((search) => findOne(search.spaceless ? dense : reading, search))
  })
}

function findOne({ text, origin }: Reading, { what, pattern, accepts = () => true }: Search): Find[] {
  if (text.search(pattern) === -1) return []
  return [...text.matchAll(pattern)].filter(accepts).map((match) => ({
    what,
    start: origin(match.index),
    // The end of the last character, which may be an escape, and not the start of what follows a line end.
    end: Math.max(origin(match.index + match[0].length - 1) + 1, origin(match.index + match[0].length)),
  }))
}

function cutOut(text: string, finds: readonly Find[], replacement: (find: Find) => string): string {
  let result = ''
  let end = 0
  for (const find of [...finds].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (find.start >= end) result += text.slice(end, find.start) + replacement(find)
    end = Math.max(end, find.end)
  }
  return result + text.slice(end)
}

function valueSearches(secrets: Secrets | undefined): Search[] {
  return (secrets?.values ?? []).flatMap(({ name, value }) => {
    const found = valuePattern(value)
    return found ? [{ what: `the value of ${name}`, ...found, advice: REVOKE }] : []
  })
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

function hasStreams(path: string): boolean {
  const role = roleOf(path)
  return role === 'log' || role === 'golden' || role === 'override'
}

/** Finds the line of an offset, from 1. */
function linesIn(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => lastAtMost(starts, offset) + 1
}

/** Bytes that are no UTF-8 stand for themselves; UTF-16 then has NULs between its letters, which are read over. */
function toText(content: FileContent): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
}

/** Whether bytes are UTF-16, of which every other byte is mostly NUL. */
function isWideText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 4096)
  const nulsAt = (parity: number) => sample.filter((byte, i) => i % 2 === parity && byte === 0).length
  return Math.abs(nulsAt(0) - nulsAt(1)) > sample.length / 4
}
