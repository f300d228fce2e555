import { type Dirent, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { FileRefusedError, readRegularFile, readRegularText } from '../io/regular-file.ts'
import { INPUT, isOfSeed, SEEDS, STAGING } from './files.ts'
import { decode, type FileContent, type FixtureTree, type ScenarioFiles } from './tree.ts'

/** Reads a whole fixtures directory. Its name in messages is relative to `cwd`. */
export function readFixtureTree(dir: string, cwd = process.cwd()): FixtureTree {
  const entries = readdirSync(dir, { withFileTypes: true }).filter(({ name }) => !name.startsWith(STAGING))
  const refused = new Map<string, string>()
  if (lstatSync(dir).isSymbolicLink()) refused.set('', DIRECTORY_LINK)
  const loose: string[] = []
  for (const entry of entries) {
    if (entry.isDirectory()) continue
    if (leadsToDirectory(join(dir, entry.name), entry)) refused.set(entry.name, DIRECTORY_LINK)
    else loose.push(entry.name)
  }
  return {
    root: displayName(dir, cwd),
    scenarios: entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, ...readFixtureFiles(join(dir, name)) })),
    loose,
    refused,
  }
}

/** The text of a file of a scenario; `undefined` if it is missing or cannot be read. */
export function readFixtureText(path: string): string | undefined {
  try {
    return readRegularText(path, { maxBytes: MAX_SCENARIO_BYTES, within: dirname(path) })
  } catch (error) {
    if (error instanceof FileRefusedError) return undefined
    throw error
  }
}

/** Every file of a scenario that can be read, by its path in it, with `/`. */
export function readFiles(dir: string): ReadonlyMap<string, FileContent> {
  return readFixtureFiles(dir).files
}

/** The limit in bytes for one scenario, in one file or in all together: a log of 100,000 events has about 20 MB. */
const MAX_SCENARIO_BYTES = 64 * 1024 ** 2

const TOO_MUCH = `was not read: the files of a scenario may have at most ${MAX_SCENARIO_BYTES} bytes in total`

/** A file with more lines is refused: each line is checked by itself, more than once. */
const MAX_LINES = 1_000_000

const INPUT_LINK = 'is a symbolic link; Jest does not follow links, so the scenario never runs: make it a regular file'
const DIRECTORY_LINK = 'is a symbolic link; Jest does not follow links, so no scenario in it runs: make it a directory'
const LINK = 'is a symbolic link; a write would replace it: make it a regular file'

/**
 * Reads every file of a scenario without following links. A link in `workspace/` or `home/` is copied as a link, so its
 * target is its content.
 */
export function readFixtureFiles(dir: string): Omit<ScenarioFiles, 'name'> {
  const files = new Map<string, FileContent>()
  const directories = new Set<string>()
  const refused = new Map<string, string>()
  let bytes = 0
  const read = (path: string, entry: Dirent) => {
    if (!entry.isSymbolicLink()) {
      const limits = { maxBytes: MAX_SCENARIO_BYTES, within: dir }
      return readRegularFile(join(dir, path), limits) ?? refuse(path, goneOrUnnamed(path))
    }
    if (isOfSeed(path)) return readlinkSync(join(dir, path), 'buffer')
    return refuse(path, linkProblem(path))
  }
  const refuse = (path: string, problem: string) => void refused.set(path, problem)
  const attempt = (path: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      refuse(path, unreadable(error))
    }
  }
  const walk = (below: string) => {
    for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      attempt(path, () => {
        if (entry.isDirectory()) {
          directories.add(path)
          return walk(path)
        }
        const content = read(path, entry)
        if (!content) return
        if (bytes + content.length > MAX_SCENARIO_BYTES) return refuse(path, TOO_MUCH)
        bytes += content.length
        if (hasTooManyLines(content)) return refuse(path, `has more than ${MAX_LINES} lines`)
        files.set(path, decode(content))
      })
    }
  }
  attempt('', () => walk(''))
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
  return { files: sorted, directories, ...(refused.size > 0 && { refused }) }
}

function hasTooManyLines(content: Buffer): boolean {
  let lines = 0
  for (let at = content.indexOf(0x0a); at !== -1; at = content.indexOf(0x0a, at + 1)) {
    if (++lines > MAX_LINES) return true
  }
  return false
}

function linkProblem(path: string): string {
  if (path === INPUT) return INPUT_LINK
  const isSeed = SEEDS.some((seed) => path === seed)
  return isSeed ? 'is a symbolic link; nothing is copied through it: make it a directory' : LINK
}

/** Why an entry of the directory is not read. */
function goneOrUnnamed(path: string): string {
  return path.includes('\uFFFD') ? 'has a name that is not UTF-8' : 'is gone'
}

/** The reason why a file cannot be read, in the words of the system or of our reader. @throws any other error */
function unreadable(error: unknown): string {
  if (error instanceof FileRefusedError) return error.problem
  if (isSystemError(error)) return `cannot be read: ${error.code}`
  throw error
}

/** Not `instanceof Error`: under Jest, Node's own errors belong to another realm. */
export function isSystemError(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error
}

function leadsToDirectory(path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return false
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** How messages name a directory: relative to `cwd`, with `/`. */
export function displayName(dir: string, cwd: string): string {
  return slashes(relative(cwd, dir)) || '.'
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/')
}
