// Plain CommonJS, because the process that commits runs it as it is, without a loader.
const crypto = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const disk = require('./durable-files.cjs')

const READY = '.ready'

/** A write takes milliseconds, so the owner of an older directory is gone. */
const STALE_MS = 60_000

/**
 * The name of a directory's committed journal. It holds a hash, since the directory's name may already have the greatest
 * length that the file system allows.
 *
 * @param {string} dir
 * @param {string} prefix
 */
function readyName(dir, prefix) {
  return `${prefix}${keyOf(dir)}${READY}`
}

/** Whether this is the name of a committed journal. @param {string} name */
function isReady(name) {
  return name.endsWith(READY)
}

/** @param {string} dir */
function keyOf(dir) {
  return crypto.createHash('sha256').update(path.basename(dir)).digest('hex').slice(0, 16)
}

/** Names the process that prepares a journal. A pid is unique on one machine only, so the host is part of it. */
function owner() {
  return `${hostKey()}-${process.pid}-${random()}`
}

function hostKey() {
  return crypto.createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8)
}

function random() {
  return crypto.randomBytes(6).toString('hex')
}

/** Whether nobody works on an uncommitted journal any more. @param {string} found */
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
    return disk.codeOf(error) !== 'ESRCH'
  }
}

module.exports = { isAbandoned, isReady, keyOf, owner, random, readyName }
