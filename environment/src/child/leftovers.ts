import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOf } from './owner.ts'
import { sweepDir } from './sweep.cjs'

const NAME = /^acp-[0-9a-f]{12}$/
const DAY_MS = 24 * 60 * 60 * 1000

/** Jest may load this module several times in one process. The copies share this set of swept directories. */
const SLOT = Symbol.for('jest-environment-acp.swept')
const host: NodeJS.Process & { [SLOT]?: Set<string> } = process

/**
 * Removes the temp roots that earlier runs left when they were killed together with their reaper, and kills the
 * processes that still work in them. A process sweeps each directory once.
 *
 * Links, other users' directories and those of a running owner stay. If the owner is unknown (it was killed before it
 * wrote its name, or runs in another container), the temp root must be a day old.
 */
export function sweepLeftovers(dir: string): void {
  host[SLOT] ??= new Set()
  if (host[SLOT].has(dir)) return
  host[SLOT].add(dir)
  for (const name of readdirSync(dir)) {
    if (NAME.test(name)) sweepOne(join(dir, name))
  }
}

/** Another process may sweep the same directory now. What cannot be removed is left for the next run. */
function sweepOne(root: string): void {
  try {
    const stat = lstatSync(root)
    if (!stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) return
    const owner = ownerOf(root)
    if (owner === 'is gone' || (owner === 'is unknown' && Date.now() - stat.ctimeMs > DAY_MS)) sweepDir(root)
  } catch {}
}
