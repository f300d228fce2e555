// Plain CommonJS, because the process that commits runs it as it is, without a loader.
//
// Several files of one directory are written together. Beside the directory:
//
//   <prefix><key>-<host>-<pid>-<random>/   being made ready: only its owner looks into it
//   <prefix><key>.ready/<random>/          committed: this rename is the moment at which the new files count
//
// A committed journal holds `journal.json` and the new files. Whoever meets it puts them in place: every step is one
// rename that fails when it was done before, so several processes may do so at once, and each may be killed anywhere.
const crypto = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const plain = require('./plain-file.cjs')

const JOURNAL = 'journal.json'
const READY = '.ready'

/** An older directory has no owner any more: a write takes milliseconds. */
const STALE_MS = 60_000

/** How often a commit waits its turn behind those of other processes. */
const TRIES = 1000

/**
 * @typedef {readonly [name: string, content: string | Uint8Array | null]} Change the new content of a file; null removes it
 * @typedef {{ directory: string, files: { name: string, removed: boolean }[] }} Journal
 */

/**
 * Writes files of a directory together, or not at all. What is in the way is found before anything changes.
 *
 * @param {string} dir
 * @param {readonly Change[]} changes
 * @param {string} prefix how the names of journals begin
 */
function commit(dir, changes, prefix) {
  const root = path.dirname(dir)
  const staging = path.join(root, `${prefix}${keyOf(dir)}-${owner()}`)
  try {
    stage(staging, dir, changes)
    for (const [name] of changes) requireReplaceable(path.join(dir, name))
    fs.accessSync(dir, fs.constants.W_OK)
    publish(staging, dir, prefix)
  } finally {
    fs.rmSync(staging, { recursive: true, force: true })
  }
  finish(path.join(root, readyName(dir, prefix)), prefix)
}

/**
 * The name of a directory's committed journal. It does not hold the directory's own name, which may be as long as names can be.
 *
 * @param {string} dir
 * @param {string} prefix
 */
function readyName(dir, prefix) {
  return `${prefix}${keyOf(dir)}${READY}`
}

/**
 * Finishes every write below a root that was cut off after it was committed, and removes what others left.
 *
 * @param {string} root
 * @param {string} prefix
 * @returns {Map<string, string>} what could not be finished, and why, by the name of the journal
 */
function recover(root, prefix) {
  const problems = new Map()
  for (const name of fs.readdirSync(root)) {
    if (!name.startsWith(prefix)) continue
    const found = path.join(root, name)
    try {
      if (name.endsWith(READY)) finish(found, prefix)
      else if (isAbandoned(found)) discard(found, prefix)
    } catch (error) {
      if (name.endsWith(READY)) problems.set(name, error instanceof Error ? error.message : String(error))
    }
  }
  return problems
}

/** @param {string} dir */
function keyOf(dir) {
  return crypto.createHash('sha256').update(path.basename(dir)).digest('hex').slice(0, 16)
}

/** Who makes a journal ready. A pid says something on its own machine alone. */
function owner() {
  return `${hostKey()}-${process.pid}-${random()}`
}

function hostKey() {
  return crypto.createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8)
}

function random() {
  return crypto.randomBytes(6).toString('hex')
}

/** @param {string} file */
function requireReplaceable(file) {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw new Error(`EISDIR: ${file} is a directory`)
}

/**
 * @param {string} staging
 * @param {string} dir
 * @param {readonly Change[]} changes
 */
function stage(staging, dir, changes) {
  const inner = path.join(staging, random())
  fs.mkdirSync(inner, { recursive: true })
  const files = changes.map(([name, text]) => ({ name, removed: text === null }))
  // So that a journal which a killed run left is not committed to git.
  writeDurably(path.join(inner, '.gitignore'), '*\n')
  writeDurably(path.join(inner, JOURNAL), JSON.stringify({ directory: path.basename(dir), files }))
  for (const [i, [name, text]] of changes.entries()) {
    if (text !== null) writeDurably(path.join(inner, `${i}`), text, modeOf(path.join(dir, name)))
  }
  syncDirectory(inner)
  syncDirectory(staging)
}

/** @param {string} file @returns {number | undefined} the permissions of the file that is replaced */
function modeOf(file) {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  return stat?.isFile() ? stat.mode & 0o777 : undefined
}

/** @param {string} file @param {string | Uint8Array} text @param {number} [mode] */
function writeDurably(file, text, mode) {
  const fd = fs.openSync(file, 'wx')
  try {
    fs.writeFileSync(fd, text)
    if (mode !== undefined) fs.fchmodSync(fd, mode)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** @param {string} dir */
function syncDirectory(dir) {
  // Windows opens no directory.
  if (process.platform === 'win32') return
  const fd = fs.openSync(dir, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/**
 * The commit: one rename, onto a name that is free, or the empty directory of a journal that is done.
 *
 * @param {string} staging
 * @param {string} dir
 * @param {string} prefix
 */
function publish(staging, dir, prefix) {
  const ready = path.join(path.dirname(dir), readyName(dir, prefix))
  for (let tries = 1; ; tries++) {
    finish(ready, prefix)
    try {
      fs.renameSync(staging, ready)
      return syncDirectory(path.dirname(dir))
    } catch (error) {
      // Another process has committed meanwhile. Windows says EPERM of a directory that is in the way.
      if (tries === TRIES || !['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error))) throw error
    }
  }
}

/**
 * Puts the files of a committed journal in place. No error when there is none, or another process does the same.
 *
 * @param {string} ready
 * @param {string} prefix
 */
function finish(ready, prefix) {
  const inner = ifThere(() => fs.readdirSync(ready)[0])
  if (inner !== undefined) {
    const from = path.join(ready, inner)
    const text = ifThere(() => plain.readPlainFile(path.join(from, JOURNAL)))
    if (text === undefined) {
      // Gone: another process has finished it.
      if (isThere(from)) throw damaged(ready)
    } else {
      const { directory, files } = parseJournal(text, ready)
      const dir = path.join(path.dirname(ready), directory)
      requireNoLink(dir)
      for (const [i, { name, removed }] of files.entries()) {
        const file = path.join(dir, name)
        // A file goes into the journal, so that one who is late removes none that a later journal has put there.
        if (removed) rename(file, path.join(from, `removed-${i}`))
        else rename(path.join(from, `${i}`), file)
      }
      if (fs.existsSync(dir)) syncDirectory(dir)
      discard(from, prefix, path.dirname(ready))
    }
  }
  removeEmpty(ready)
}

/** @param {string} file */
function isThere(file) {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

/** @param {string} from @param {string} to */
function rename(from, to) {
  ifThere(() => fs.renameSync(from, to))
}

/** @param {string} ready */
function removeEmpty(ready) {
  try {
    fs.rmdirSync(ready)
  } catch (error) {
    // Not empty: the next journal is there already.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error))) throw error
  }
}

/**
 * Removes a directory so that no process finds a part of it under its name.
 *
 * @param {string} dir
 * @param {string} prefix
 * @param {string} root where its remains lie until they are gone
 */
function discard(dir, prefix, root = path.dirname(dir)) {
  const remains = path.join(root, `${prefix}done-${owner()}`)
  rename(dir, remains)
  fs.rmSync(remains, { recursive: true, force: true })
}

/** @param {string} found */
function isAbandoned(found) {
  const [, host, pid] = /-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}$/.exec(found) ?? []
  if (host === hostKey() && pid !== undefined && !isAlive(Number(pid))) return true
  const stat = fs.lstatSync(found, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/**
 * @param {string} text
 * @param {string} ready
 * @returns {Journal}
 */
function parseJournal(text, ready) {
  try {
    const { directory, files } = JSON.parse(text)
    if (isName(directory) && files.every((/** @type {Journal['files'][number]} */ { name }) => isName(name))) {
      return { directory, files }
    }
  } catch {}
  throw damaged(ready)
}

/** @param {string} ready */
function damaged(ready) {
  return new Error(`${path.join(path.basename(ready), JOURNAL)} is damaged`)
}

/** Files are put into a directory of ours, and into none that lies elsewhere. @param {string} dir */
function requireNoLink(dir) {
  if (fs.lstatSync(dir, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`${dir} is a symbolic link`)
}

/** A name, and no way out of the directory: a checkout may hold any journal. @param {unknown} name */
function isName(name) {
  return typeof name === 'string' && path.basename(name) === name && !['', '.', '..'].includes(name)
}

/**
 * @template T
 * @param {() => T} work
 * @returns {T | undefined}
 */
function ifThere(work) {
  try {
    return work()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** @param {unknown} error @returns {string} */
function codeOf(error) {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

module.exports = { commit, readyName, recover }
