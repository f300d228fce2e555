import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Agents look for these in every directory above their working directory, and tell the model what they find. */
const READ_BY_AGENTS = ['.git', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const
/** Node and npm look for these there. They matter to few scenarios, and many home directories have them. */
const READ_BY_NODE = ['package.json', 'node_modules'] as const
const OTHERS = process.platform === 'win32' ? [] : ['/tmp', '/var/tmp']

/**
 * The directory for temp roots: the system's, unless a file in it or above it changes what an agent does. No variable
 * stops an agent from searching upwards, so this then takes the first clean one of /tmp and /var/tmp. If none is clean,
 * it accepts one with only Node's files above it.
 *
 * @param others the alternatives to the system's temp directory
 * @returns the path as the system spells it, with symbolic links
 * @throws Error naming the file, when agents would find one from every candidate
 */
export function cleanTempDir(others: readonly string[] = OTHERS): string {
  const spelled = tmpdir()
  const candidates = [spelled, ...others.filter(isUsable)]
  const without = (names: readonly string[]) => candidates.find((dir) => findAbove(dir, names) === undefined)
  const clean = without([...READ_BY_AGENTS, ...READ_BY_NODE]) ?? without(READ_BY_AGENTS)
  if (clean !== undefined) return clean
  throw new Error(
    `expected nothing above the temp directory ${spelled} that an agent looks for (${READ_BY_AGENTS.join(', ')})\n` +
      `  got      ${findAbove(spelled, READ_BY_AGENTS)}\n` +
      'Remove it, or set TMPDIR to a directory that has no such file above it.',
  )
}

function findAbove(spelled: string, names: readonly string[]): string | undefined {
  for (let dir = fs.realpathSync.native(spelled); ; dir = dirname(dir)) {
    const found = names.map((name) => join(dir, name)).find((path) => fs.existsSync(path))
    if (found !== undefined || dir === dirname(dir)) return found
  }
}

function isUsable(dir: string): boolean {
  try {
    fs.accessSync(dir, fs.constants.W_OK | fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}
