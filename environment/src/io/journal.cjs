// Plain CommonJS, because the process that commits runs it as it is, without a loader.
//
// Several files of one directory are written together. Beside the directory:
//
//   <prefix><key>-<host>-<pid>-<random>/   being prepared: only its owner reads it
//   <prefix><key>.ready/<random>/          committed: from this rename on, the new files are valid
//
// A committed journal holds `journal.json` and the new files. Any process that finds it moves them into place. Each step
// is one rename, which fails if it was already done: several processes may do this at once, and each may be killed at
// any point.
const fs = require('node:fs')
const path = require('node:path')
const disk = require('./durable-files.cjs')
const completion = require('./journal-completion.cjs')
const names = require('./journal-names.cjs')

const { readyName } = names

/** How often a commit tries again when another process commits to the same directory. */
const TRIES = 1000

/**
 * @typedef {readonly [path: string, content: string | Uint8Array | null]} Change the new content of a file, by its path in
 * the directory, with `/`; null removes it
 */

/**
 * Writes files of a directory together, or none of them. It checks for obstacles before anything changes.
 *
 * @param {string} dir
 * @param {readonly Change[]} changes
 * @param {string} prefix how the names of journals begin
 */
function commit(dir, changes, prefix) {
  const root = path.dirname(dir)
  const staging = path.join(root, `${prefix}${names.keyOf(dir)}-${names.owner()}`)
  try {
    stage(staging, dir, changes)
    requireNoObstacle(dir, changes)
    publish(staging, dir, prefix)
  } finally {
    fs.rmSync(staging, { recursive: true, force: true })
  }
  completion.finish(path.join(root, readyName(dir, prefix)), prefix)
}

/**
 * Finishes every committed write below a root that was interrupted, and removes uncommitted journals of dead processes.
 *
 * @param {string} root
 * @param {string} prefix
 * @returns {Map<string, string>} why a journal could not be finished, by its name
 */
function recover(root, prefix) {
  const problems = new Map()
  for (const name of fs.readdirSync(root)) {
    if (!name.startsWith(prefix)) continue
    const found = path.join(root, name)
    try {
      if (names.isReady(name)) completion.finish(found, prefix)
      else if (names.isAbandoned(found)) completion.discard(found, prefix)
    } catch (error) {
      if (names.isReady(name)) problems.set(name, error instanceof Error ? error.message : String(error))
    }
  }
  return problems
}

/**
 * A file may take the place of a directory, and a directory that of a file, when what is there is removed as well.
 *
 * @param {string} dir
 * @param {readonly Change[]} changes
 */
function requireNoObstacle(dir, changes) {
  const removed = new Set(changes.flatMap(([name, content]) => (content === null ? [name] : [])))
  fs.accessSync(dir, fs.constants.W_OK)
  for (const [name, content] of changes) {
    if (content === null) continue
    for (const parent of completion.parentsOf(name)) requireDirectory(path.join(dir, parent), removed.has(parent))
    requireFree(dir, name, new Set([...removed, ...[...removed].flatMap(completion.parentsOf)]))
  }
}

/** @param {string} file @param {boolean} isRemoved */
function requireDirectory(file, isRemoved) {
  const stat = disk.statIfThere(file)
  if (stat?.isDirectory()) fs.accessSync(file, fs.constants.W_OK)
  else if (stat && !isRemoved) throw new Error(`ENOTDIR: ${file} is not a directory`)
}

/** @param {string} dir @param {string} name @param {ReadonlySet<string>} goes what is removed, and its directories */
function requireFree(dir, name, goes) {
  const file = path.join(dir, name)
  const inside = disk.listIfDirectory(file)
  if (!inside) return
  const all = [name, ...inside.map((below) => `${name}/${below.split(path.sep).join('/')}`)]
  if (!all.every((path) => goes.has(path))) throw new Error(`EISDIR: ${file} is a directory`)
}

/**
 * @param {string} staging
 * @param {string} dir
 * @param {readonly Change[]} changes
 */
function stage(staging, dir, changes) {
  const inner = path.join(staging, names.random())
  fs.mkdirSync(inner, { recursive: true })
  const files = changes.map(([name, text]) => ({ name, removed: text === null }))
  // Keeps the journal of a killed run out of git.
  disk.writeDurably(path.join(inner, '.gitignore'), '*\n')
  disk.writeDurably(path.join(inner, completion.JOURNAL), JSON.stringify({ directory: path.basename(dir), files }))
  for (const [i, [name, text]] of changes.entries()) {
    if (text !== null) disk.writeDurably(path.join(inner, `${i}`), text, disk.modeOf(path.join(dir, name)))
    // A file, so that nothing but a file can be moved here.
    else fs.writeFileSync(path.join(inner, completion.removedName(i)), '')
  }
  disk.syncDirectory(inner)
  disk.syncDirectory(staging)
}

/**
 * Commits with one rename, onto a free name or onto the empty directory of a finished journal.
 *
 * @param {string} staging
 * @param {string} dir
 * @param {string} prefix
 */
function publish(staging, dir, prefix) {
  const ready = path.join(path.dirname(dir), readyName(dir, prefix))
  for (let tries = 1; ; tries++) {
    completion.finish(ready, prefix)
    try {
      fs.renameSync(staging, ready)
      return disk.syncDirectory(path.dirname(dir))
    } catch (error) {
      // Another process committed in the meantime. Windows reports EPERM for an existing directory.
      if (tries === TRIES || !['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(disk.codeOf(error))) throw error
    }
  }
}

module.exports = { commit, readyName, recover }
