// Plain CommonJS, because the reaper process runs it as it is, without a loader.
const childProcess = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }

/**
 * Signals a process group by its leader's pid. A group that is gone already is no error.
 * Windows has neither groups nor signals: there, whatever the signal, the leader's tree is ended by force.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  // kill(2) reads -1 as "every process" and 0 as "my own group".
  if (!Number.isSafeInteger(pid) || pid <= 1) throw new RangeError(`not a process group: ${pid}`)
  if (process.platform === 'win32') {
    childProcess.spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // ESRCH: gone. EPERM: only zombies are left, as macOS puts it.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/**
 * Removes a temp root, and first kills the processes that still work in it.
 *
 * @param {string} root an absolute path
 * @param {ReadonlySet<number>} [older] processes that were there before the root, which are left alone
 */
function sweepDir(root, older) {
  // A stray may fork while we look, so look again.
  for (let round = 0; round < 5; round++) {
    const strays = findStrays(root, older)
    if (strays.length === 0) break
    for (const { pid } of strays) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended in between.
      }
    }
  }
  try {
    fs.rmSync(root, REMOVE)
  } catch {
    makeRemovable(root)
    fs.rmSync(root, REMOVE)
  }
}

/**
 * The processes that were started by the agent of a temp root, or work in it, though they may have left its group, its
 * session and its environment. Linux shows in /proc what tells: the mark, the working directory, the environment.
 * Elsewhere no such process can be found.
 *
 * @param {string} root
 * @param {ReadonlySet<number>} [older]
 * @returns {{ pid: number, command: string }[]}
 */
function findStrays(root, older) {
  return pids()
    .filter((pid) => pid !== process.pid && !older?.has(pid) && belongsTo(root, pid))
    .map((pid) => ({ pid, command: commandLine(pid) }))
}

/** @param {string} root @param {number} pid */
function belongsTo(root, pid) {
  const cwd = readProc(() => fs.readlinkSync(`/proc/${pid}/cwd`))
  // A zombie has no working directory. It only waits for its parent to notice.
  if (cwd === '' && isDead(pid)) return false
  return (
    cwd === root ||
    cwd.startsWith(`${root}/`) ||
    hasMark(root, pid) ||
    readProc(() => fs.readFileSync(`/proc/${pid}/environ`, 'latin1')).includes(root)
  )
}

/** @param {number} pid */
function isDead(pid) {
  const stat = readProc(() => fs.readFileSync(`/proc/${pid}/stat`, 'latin1'))
  return /^(|[ZX])$/.test(stat.slice(stat.lastIndexOf(')') + 2).charAt(0))
}

/** @param {string} root @param {number} pid */
function hasMark(root, pid) {
  const mark = markOf(root)
  if (mark === undefined) return false
  const limits = readProc(() => fs.readFileSync(`/proc/${pid}/limits`, 'latin1'))
  return limits.includes(`Max resident set          ${mark * 1024n} `)
}

/**
 * What marks the agent of a temp root, and every process that comes of it: its soft limit of resident memory, in KiB.
 * Linux ignores this limit, every child inherits it, and nothing resets it: neither a session of its own, an empty
 * environment, nor closing all files. It is far beyond any memory (2^48 KiB and more).
 *
 * @param {string} path of a temp root, or below one
 * @returns {bigint | undefined} undefined for a path that lies in no temp root
 */
function markOf(path) {
  const [, hex] = /.*\/acp-([0-9a-f]{12})(?:\/|$)/.exec(path) ?? []
  return hex === undefined ? undefined : 2n ** 48n + BigInt(`0x${hex}`)
}

/** The ids of all processes: on Linux alone. @returns {number[]} */
function pids() {
  if (process.platform !== 'linux') return []
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** @param {number} pid */
function commandLine(pid) {
  return readProc(() => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    .replaceAll('\0', ' ')
    .trim()
}

/** What a process that is gone, or not ours, has there is nothing. @param {() => string} read */
function readProc(read) {
  try {
    return read()
  } catch {
    return ''
  }
}

/**
 * Gives every directory its write permission back. Follows no symlink.
 *
 * @param {string} dir
 */
function makeRemovable(dir) {
  fs.chmodSync(dir, 0o700)
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) makeRemovable(path.join(dir, entry.name))
  }
}

module.exports = { findStrays, markOf, pids, signalGroup, sweepDir }
