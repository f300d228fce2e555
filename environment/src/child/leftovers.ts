import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOf } from './owner.ts'
import { sweepDir } from './sweep.cjs'

const NAME = /^acp-[0-9a-f]{12}$/
const DAY_MS = 24 * 60 * 60 * 1000

/** Jest may load this module several times in one process: they share what has been swept, which hangs here. */
const SLOT = Symbol.for('jest-environment-acp.swept')
const host: NodeJS.Process & { [SLOT]?: Set<string> } = process

/**
 * Removes the temp roots of earlier runs whose owner is gone, and ends what still works in them: those of a run that was
 * killed together with its reaper. It looks once in a directory, for each process.
 *
 * Another user's directories, links, and those of a running owner stay. Where the owner cannot be told (it was killed
 * before it said so, or runs in another container), a day has to pass.
 */
export function sweepLeftovers(dir: string): void {
  host[SLOT] ??= new Set()
  if (host[SLOT].has(dir)) return
  host[SLOT].add(dir)
  for (const name of readdirSync(dir)) {
    if (NAME.test(name)) sweepOne(join(dir, name))
  }
}

/** Another process may sweep the same one now; what this one fails to remove stays to the next. */
function sweepOne(root: string): void {
  try {
    const stat = lstatSync(root)
    if (!stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) return
    const owner = ownerOf(root)
    if (owner === 'is gone' || (owner === 'is unknown' && Date.now() - stat.ctimeMs > DAY_MS)) sweepDir(root)
  } catch {}
}
