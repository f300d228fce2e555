// Plain CommonJS, because the reaper process runs it as it is, without a loader.
const childProcess = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }

/**
 * Signals a process group by its leader's pid. It is no error if the group is already gone.
 * Windows has neither groups nor signals: there, any signal kills the leader's process tree.
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
    // ESRCH: gone. EPERM: macOS reports it when only zombies are left.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/**
 * Kills the processes that still work in a temp root, then removes it.
 *
 * @param {string} root an absolute path
 * @param {ReadonlySet<number>} [older] processes that are older than the root, which are not killed
 */
function sweepDir(root, older) {
  // A process may fork during the search, so search again.
  for (let round = 0; round < 5; round++) {
    const strays = findStrays(root, older)
    if (strays.length === 0) break
    for (const { pid } of strays) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It exited in the meantime.
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
 * The processes that the agent of a temp root started, or that work in it, even outside the agent's group and session.
 * On Linux, /proc shows the mark, the working directory and the environment that identify them. Other systems offer no
 * way to find such processes.
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
  // A zombie has no working directory: it has exited, and its parent has not yet read its exit code.
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
 * The mark of a temp root's agent and all its descendants: the soft limit of resident memory, in KiB. Linux ignores this
 * limit, every child inherits it, and nothing resets it: not a new session, an empty environment or closing all files.
 * It is far above any real memory (2^48 KiB and more).
 *
 * @param {string} path a temp root, or a path in one
 * @returns {bigint | undefined} undefined for any other path
 */
function markOf(path) {
  const [, hex] = /.*\/acp-([0-9a-f]{12})(?:\/|$)/.exec(path) ?? []
  return hex === undefined ? undefined : 2n ** 48n + BigInt(`0x${hex}`)
}

/** The ids of all processes; empty on other systems than Linux. @returns {number[]} */
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

/** The empty text for a process that is gone or belongs to another user. @param {() => string} read */
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
