// Plain CommonJS, because the process that commits runs it as it is, without a loader.
const fs = require('node:fs')

/** The permissions of a regular file. @param {string} file @returns {number | undefined} */
function modeOf(file) {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  return stat?.isFile() ? stat.mode & 0o777 : undefined
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

/** @param {string} file */
function isThere(file) {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined
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

module.exports = { codeOf, ifThere, isThere, modeOf, renameIfThere, syncDirectory, writeDurably }
