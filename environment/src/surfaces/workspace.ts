import * as fs from 'node:fs'
import { join } from 'node:path'
import { normalizeText, type Volatile } from 'jest-serializer-acp'
import { FileRefusedError, readRegularFile } from '../io/regular-file.ts'
import { forbiddenWithout } from '../scenario/require-json.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { decode, type FileContent } from '../scenario/tree.ts'
import { StepError } from '../scenario-error.ts'
import { firstDifference } from './first-difference.ts'
import type { Mismatch } from './mismatch.ts'
import type { PrintedFiles, Surface } from './surface.ts'

const DIR = 'workspace.golden'

/** Limits for a working directory that is stored as a golden. */
const MAX_BYTES = 16 * 1024 ** 2
const MAX_FILES = 5000

/** The files in the agent's working directory at the end, for scenarios with `"pinsWorkspace": true`. */
export const workspace: Surface<PrintedFiles> = {
  title: 'workspace',
  files: { label: `${DIR}/`, has: (path) => path.startsWith(`${DIR}/`), binary: true },
  writtenBy: ['refresh', 'record'],
  createdWhenMissing: false,

  check({ input, present }, report) {
    const isThere = [...present].some((path) => path.startsWith(`${DIR}/`))
    if (input && !input.pinsWorkspace && isThere) report(DIR, forbiddenWithout('pinsWorkspace'))
  },

  collect: ({ scenario, cwd, volatile }) => (scenario.input.pinsWorkspace ? readWorkspace(cwd, volatile) : new Map()),

  print: (files) => files,

  compare(_, { scenario, expected, printed }) {
    const paths = [...new Set([...expected.keys(), ...printed.keys()])].sort()
    for (const path of paths) {
      const mismatch = compareFile(path, expected.get(path), printed.get(path))
      if (mismatch) return { ...mismatch, showsStderr: true, next: next(scenario) }
    }
    return undefined
  },
}

function next({ command, dir }: Scenario): string {
  return `If this is wanted: REFRESH=1 ${command(dir)}`
}

function compareFile(
  path: string,
  expected: FileContent | undefined,
  got: FileContent | undefined,
): Pick<Mismatch, 'headline' | 'first' | 'texts'> | undefined {
  if (got === undefined) return { headline: `the agent left no file ${path}, which the fixture has` }
  if (expected === undefined) return { headline: `the agent left a file that the fixture does not have: ${path}` }
  if (typeof expected === 'string' && typeof got === 'string') {
    const difference = firstDifference(expected, got)
    if (!difference) return undefined
    const first = { place: `${path}:${difference.line + 1}`, difference }
    return { headline: `the workspace differs from ${path}`, first, texts: { expected, got } }
  }
  const [before, now] = [Buffer.from(expected), Buffer.from(got)]
  if (before.equals(now)) return undefined
  const sizes = `expected ${before.length} bytes, got ${now.length}`
  return { headline: `the workspace differs from ${path}, which is not text: ${sizes}` }
}

/**
 * Reads a directory: text files with tokens for volatile values, other files unchanged, and the target of each link.
 * Like Git, it omits empty directories and `.git`.
 *
 * @throws StepError for an entry that cannot be stored as a golden
 */
function readWorkspace(cwd: string, volatile: Volatile): PrintedFiles {
  const files = new Map<string, FileContent>()
  let bytes = 0
  const add = (path: string, content: Buffer | string) => {
    const golden = `${DIR}/${goldenName(path, volatile)}`
    if (files.has(golden)) throw refused(`two files whose names differ only in volatile parts: ${golden}`)
    const text = typeof content === 'string' ? content : decode(content)
    files.set(golden, typeof text === 'string' ? normalizeText(text, volatile) : text)
    bytes += content.length
    if (bytes > MAX_BYTES || files.size > MAX_FILES) throw refused(`more than ${MAX_FILES} files or ${MAX_BYTES} bytes`)
  }
  const walk = (below: string) => {
    for (const entry of fs.readdirSync(join(cwd, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.name === '.git') continue
      if (path.includes('\uFFFD')) throw refused(`a file whose name is not UTF-8: ${path}`)
      if (entry.isDirectory()) walk(path)
      else if (entry.isSymbolicLink()) add(path, `link to ${fs.readlinkSync(join(cwd, path))}\n`)
      else add(path, readFile(cwd, path))
    }
  }
  try {
    walk('')
  } catch (error) {
    if (error instanceof StepError || !isSystemError(error)) throw error
    throw refused(`an entry that cannot be read: ${error.message.replaceAll(cwd, '{{cwd}}')}`)
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readFile(cwd: string, path: string): Buffer | string {
  try {
    return readRegularFile(join(cwd, path), { maxBytes: MAX_BYTES, within: cwd }) ?? ''
  } catch (error) {
    if (!(error instanceof FileRefusedError)) throw error
    throw refused(`${path}, which ${error.problem}`)
  }
}

function refused(got: string): StepError {
  return new StepError('files in the working directory that a golden can hold', got)
}

/** Not `instanceof Error`: under Jest, Node's own errors belong to another realm. */
function isSystemError(error: unknown): error is { message: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'message' in error
}

/** Characters that some systems forbid in file names, and the dot of names that Git interprets (`.gitignore`). */
const ENCODED = /[%\\:*?"<>|\p{Cc}]|[. ]$|^\.(?=git)/giu

/** A path in a golden: tokens for volatile parts, and percent-encoding for {@link ENCODED} characters. */
function goldenName(path: string, volatile: Volatile): string {
  return normalizeText(path, volatile)
    .split('/')
    .map((name) =>
      name.replace(ENCODED, (text) => `%${text.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`),
    )
    .join('/')
}
