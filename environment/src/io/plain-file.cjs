// Plain CommonJS, because the reporter and the process that commits run it as it is, without a loader.
const fs = require('node:fs')

// Windows has neither flag, and no FIFOs in its file system.
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants

/** Much longer than a script, a recorded log or a journal. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Reads a file of a checkout, which may be anything. Never blocks, and follows no link.
 *
 * @param {string} file
 * @returns {string}
 * @throws an Error of the system, or one that says why it refuses the file
 */
function readPlainFile(file) {
  requirePlain(fs.lstatSync(file), file)
  const fd = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  try {
    requirePlain(fs.fstatSync(fd), file)
    return fs.readFileSync(fd, 'utf8')
  } finally {
    fs.closeSync(fd)
  }
}

/** @param {fs.Stats} stat @param {string} file */
function requirePlain(stat, file) {
  if (!stat.isFile()) throw new Error(`${file} is not a regular file`)
  if (stat.size > MAX_BYTES) throw new Error(`${file} is too long: it has ${stat.size} bytes`)
}

module.exports = { readPlainFile }
