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
  const numbered = files.map(({ name, removed }, i) => ({ name, removed, i }))
  // First what goes: a directory may have the name of a file that was there, or the reverse.
  for (const { name, i } of numbered.filter(({ removed }) => removed))
    remove(dir, name, path.join(from, removedName(i)))
  for (const { name, i } of numbered.filter(({ removed }) => !removed)) put(path.join(from, `${i}`), dir, name)
  if (fs.existsSync(dir)) disk.syncDirectory(dir)
  discard(from, prefix, root)
}

/**
 * Moves a file into the journal: a slow process then cannot remove the file of a later journal. Directories that are left
 * empty go too.
 *
 * @param {string} dir
 * @param {string} name
 * @param {string} to
 */
function remove(dir, name, to) {
  for (const parent of parentsOf(name)) requireNoLink(path.join(dir, parent))
  disk.ifThere(() => {
    try {
      fs.renameSync(path.join(dir, name), to)
    } catch (error) {
      // There is a directory in its place by now, or a file in the place of its directory.
      if (disk.codeOf(error) !== 'ENOTDIR') throw error
    }
  })
  for (const parent of parentsOf(name).reverse()) removeEmpty(path.join(dir, parent))
}

/** @param {string} from @param {string} dir @param {string} name */
function put(from, dir, name) {
  // Another process may be removing an empty directory that this one needs.
  while (disk.isThere(from) && fs.existsSync(dir)) {
    for (const parent of parentsOf(name)) makeDirectory(path.join(dir, parent))
    try {
      return fs.renameSync(from, path.join(dir, name))
    } catch (error) {
      if (disk.codeOf(error) === 'EISDIR') fs.rmdirSync(path.join(dir, name))
      else if (disk.codeOf(error) !== 'ENOENT') throw error
    }
  }
}

/** Where the file of a journal's entry is moved when it is removed. @param {number} i */
function removedName(i) {
  return `removed-${i}`
}

/** @param {string} dir */
function makeDirectory(dir) {
  try {
    fs.mkdirSync(dir)
  } catch (error) {
    if (!['EEXIST', 'ENOENT'].includes(disk.codeOf(error))) throw error
    requireNoLink(dir)
  }
}

/** The directories that a path leads through, the outer one first. @param {string} name */
function parentsOf(name) {
  const segments = name.split('/').slice(0, -1)
  return segments.map((_, i) => segments.slice(0, i + 1).join('/'))
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

/** @param {string} dir */
function removeEmpty(dir) {
  try {
    fs.rmdirSync(dir)
  } catch (error) {
    // Not empty: it holds other files, or the next journal.
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(disk.codeOf(error))) throw error
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
    if (isName(directory) && files.every((/** @type {Journal['files'][number]} */ { name }) => isPath(name))) {
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

/** A path that stays in the directory. @param {unknown} name */
function isPath(name) {
  return typeof name === 'string' && name.split('/').every(isName)
}

module.exports = { JOURNAL, discard, finish, parentsOf, removedName }
