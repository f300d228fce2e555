// Plain CommonJS, because the process that commits runs it as it is, without a loader.
const fs = require('node:fs')
const path = require('node:path')
const disk = require('./durable-files.cjs')
const names = require('./journal-names.cjs')
const plain = require('./plain-file.cjs')

const JOURNAL = 'journal.json'

/** @typedef {{ directory: string, files: { name: string, removed: boolean }[] }} Journal */

/**
 * Moves the files of a committed journal into place. It is no error when there is no journal, or when another process
 * does the same at the same time.
 *
 * @param {string} ready
 * @param {string} prefix
 */
function finish(ready, prefix) {
  const inner = disk.ifThere(() => fs.readdirSync(ready)[0])
  if (inner !== undefined) putInPlace(path.join(ready, inner), ready, prefix)
  removeEmpty(ready)
}

/** @param {string} from the directory with the new files @param {string} ready @param {string} prefix */
function putInPlace(from, ready, prefix) {
  const text = disk.ifThere(() => plain.readPlainFile(path.join(from, JOURNAL)))
  if (text === undefined) {
    // Another process finished this journal and removed it.
    if (!disk.isThere(from)) return
    throw damaged(ready)
  }
  const { directory, files } = parseJournal(text, ready)
  const root = path.dirname(ready)
  const dir = path.join(root, directory)
  requireNoLink(dir)
  for (const [i, { name, removed }] of files.entries()) {
    const file = path.join(dir, name)
    // A removed file is moved into the journal: a slow process then cannot remove the file of a later journal.
    if (removed) disk.renameIfThere(file, path.join(from, `removed-${i}`))
    else disk.renameIfThere(path.join(from, `${i}`), file)
  }
  if (fs.existsSync(dir)) disk.syncDirectory(dir)
  discard(from, prefix, root)
}

/**
 * Removes a directory: renames it first, so that no process sees a half-removed directory under its name.
 *
 * @param {string} dir
 * @param {string} prefix
 * @param {string} root the directory that it is moved to before it is removed
 */
function discard(dir, prefix, root = path.dirname(dir)) {
  const remains = path.join(root, `${prefix}done-${names.owner()}`)
  disk.renameIfThere(dir, remains)
  fs.rmSync(remains, { recursive: true, force: true })
}

/** @param {string} ready */
function removeEmpty(ready) {
  try {
    fs.rmdirSync(ready)
  } catch (error) {
    // Not empty: it already holds the next journal.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(disk.codeOf(error))) throw error
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

/** A link may lead out of the fixtures. @param {string} dir */
function requireNoLink(dir) {
  if (fs.lstatSync(dir, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`${dir} is a symbolic link`)
}

/** A file name without a path: a checkout may hold any journal, and it must not lead out of the directory. @param {unknown} name */
function isName(name) {
  return typeof name === 'string' && path.basename(name) === name && !['', '.', '..'].includes(name)
}

module.exports = { JOURNAL, discard, finish }
