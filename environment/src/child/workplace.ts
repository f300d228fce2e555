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

/** The temp directories of one scenario, under one root. All paths are absolute and contain no symlink. */
export interface Workplace {
  root: string
  cwd: string
  home: string
  sessions: string
  tmp: string
  /** A file for the agent's reports beside stdout. It is not created. */
  report: string
  /** Every spelling of each directory that an agent may see, the real path first. */
  paths(): Record<'root' | (typeof DIRS)[number], string[]>
  /** The processes that the agent started, or that work in here, also outside its group. Always empty except on Linux. */
  strays(): { pid: number; command: string }[]
  /** Kills the processes that still work in it (on Linux, also outside its process group), and removes it, with read-only parts. */
  remove(): void
}

/**
 * Creates the temp directories of one scenario. If this process ends before `remove`, the reaper removes them.
 *
 * @param options.seed a directory whose content is copied into `cwd`
 * @throws Error when the seed cannot be copied; the directories are removed before
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
      // Independent of the umask: an agent may print a mode.
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
