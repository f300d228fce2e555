import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { cleanTempDir } from './clean-root.ts'
import { sweepLeftovers } from './leftovers.ts'
import { writeOwner } from './owner.ts'
import { guardDir } from './reaper.ts'
import { copySeed } from './seed.ts'
import { findStrays, pids, sweepDir } from './sweep.cjs'

const DIRS = ['cwd', 'home', 'sessions', 'tmp'] as const

/** The temp directories of one scenario, under one root. All paths are absolute and real (no symlink in them). */
export interface Workplace {
  root: string
  cwd: string
  home: string
  sessions: string
  tmp: string
  /** Where the agent may report beside stdout. The file is not made. */
  report: string
  /** Each directory with every spelling that an agent may meet it under, the real one first. */
  paths(): Record<'root' | (typeof DIRS)[number], string[]>
  /** The processes that the agent started, or that work in here, wherever they went: on Linux alone. */
  strays(): { pid: number; command: string }[]
  /** Kills what still works in it (on Linux, even outside of its process group), and removes it, read-only parts too. */
  remove(): void
}

/**
 * Makes the temp directories of one scenario. Until `remove`, they also go when this process ends, however it ends.
 *
 * @param options.seed a directory whose content is copied into `cwd`
 * @throws Error when the seed cannot be copied; then nothing is left behind
 */
export function createWorkplace(options: { seed?: string | undefined } = {}): Workplace {
  const name = `acp-${randomBytes(6).toString('hex')}`
  const temp = cleanTempDir()
  const realTemp = fs.realpathSync.native(temp)
  sweepLeftovers(realTemp)
  const root = join(realTemp, name)
  const spelled = join(temp, name)
  const older = new Set(pids())
  const release = guardDir(root)
  const remove = () => {
    sweepDir(root, older)
    release()
  }
  fs.mkdirSync(root, { mode: 0o700 })
  try {
    writeOwner(root)
    for (const dir of DIRS) {
      fs.mkdirSync(join(root, dir))
      // Whatever the umask is here: an agent may print a mode.
      fs.chmodSync(join(root, dir), 0o755)
    }
    if (options.seed !== undefined) copySeed(options.seed, join(root, 'cwd'))
  } catch (error) {
    remove()
    throw error
  }
  return {
    root,
    cwd: join(root, 'cwd'),
    home: join(root, 'home'),
    sessions: join(root, 'sessions'),
    tmp: join(root, 'tmp'),
    report: join(root, 'report.jsonl'),
    paths: () => {
      const spellings = (...below: string[]) => [...new Set([join(root, ...below), join(spelled, ...below)])]
      return {
        root: spellings(),
        cwd: spellings('cwd'),
        home: spellings('home'),
        sessions: spellings('sessions'),
        tmp: spellings('tmp'),
      }
    },
    strays: () => findStrays(root, older),
    remove,
  }
}
