import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What agents, Git and Node look for in every directory above the one they work in. */
const LOOKED_FOR = ['.git', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'package.json'] as const
const OTHERS = process.platform === 'win32' ? [] : ['/tmp', '/var/tmp']

/**
 * The directory in which temp roots are made: the system's, unless something in it or above it changes what an agent
 * does. No variable keeps an agent from walking up, so the first of /tmp and /var/tmp that is clean is taken instead.
 *
 * @returns its spelling
 * @throws Error naming what is in the way, when none is clean
 */
export function cleanTempDir(): string {
  const spelled = tmpdir()
  const found = findAbove(spelled)
  if (found === undefined) return spelled
  const other = OTHERS.find((dir) => isUsable(dir) && findAbove(dir) === undefined)
  if (other !== undefined) return other
  throw new Error(
    `expected nothing above the temp directory ${spelled} that an agent looks for (${LOOKED_FOR.join(', ')})\n` +
      `  got      ${found}\nRemove it, or set TMPDIR to a directory that has no such file above it.`,
  )
}

function findAbove(spelled: string): string | undefined {
  for (let dir = fs.realpathSync.native(spelled); ; dir = dirname(dir)) {
    const found = LOOKED_FOR.map((name) => join(dir, name)).find((path) => fs.existsSync(path))
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
