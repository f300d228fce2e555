import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What agents look for in every directory above the one they work in: it changes what they tell the model. */
const READ_BY_AGENTS = ['.git', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const
/** What Node and npm look for there. It matters to the scripts of few scenarios, and lies in many a home directory. */
const READ_BY_NODE = ['package.json', 'node_modules'] as const
const OTHERS = process.platform === 'win32' ? [] : ['/tmp', '/var/tmp']

/**
 * The directory in which temp roots are made: the system's, unless something in it or above it changes what an agent
 * does. No variable keeps an agent from walking up, so the first of /tmp and /var/tmp that is clean is taken instead.
 * When none is, one will do that has nothing but Node's files above it.
 *
 * @param others what may be taken instead
 * @returns its spelling
 * @throws Error naming what is in the way, when agents would find something from everywhere
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
