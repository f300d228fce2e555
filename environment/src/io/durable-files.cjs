// Plain CommonJS, because the process that commits runs it as it is, without a loader.
const fs = require('node:fs')

/** The permissions of a regular file. @param {string} file @returns {number | undefined} */
function modeOf(file) {
  const stat = statIfThere(file)
  return stat?.isFile() ? stat.mode & 0o777 : undefined
}

/** What lies at a path, when something does: a link is not followed. @param {string} file @returns {fs.Stats | undefined} */
function statIfThere(file) {
  try {
    return fs.lstatSync(file)
  } catch (error) {
    // A file in the place of its directory.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
    throw error
  }
}

/** Writes a new file, and returns once it is on the disk. @param {string} file @param {string | Uint8Array} content @param {number} [mode] */
function writeDurably(file, content, mode) {
  const fd = fs.openSync(file, 'wx')
  try {
    fs.writeFileSync(fd, content)
    if (mode !== undefined) fs.fchmodSync(fd, mode)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** Returns once the names in a directory are on the disk. @param {string} dir */
function syncDirectory(dir) {
  // Windows cannot open a directory.
  if (process.platform === 'win32') return
  const fd = fs.openSync(dir, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** All that lies in a directory, as paths below it; nothing for what is no directory. @param {string} dir */
function listIfDirectory(dir) {
  if (!statIfThere(dir)?.isDirectory()) return undefined
  try {
    return fs.readdirSync(dir, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    // Another process has put a file in its place since.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
    throw error
  }
}

/** @param {string} file */
function isThere(file) {
  return statIfThere(file) !== undefined
}

/** @param {string} from @param {string} to */
function renameIfThere(from, to) {
  ifThere(() => fs.renameSync(from, to))
}

/**
 * @template T
 * @param {() => T} work
 * @returns {T | undefined} `undefined` when a file that it needs does not exist
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

module.exports = {
  codeOf,
  ifThere,
  isThere,
  listIfDirectory,
  modeOf,
  renameIfThere,
  statIfThere,
  syncDirectory,
  writeDurably,
}
