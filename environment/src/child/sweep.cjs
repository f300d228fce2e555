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
 */
function sweepDir(root) {
  killStrays(root)
  try {
    fs.rmSync(root, REMOVE)
  } catch {
    makeRemovable(root)
    fs.rmSync(root, REMOVE)
  }
}

/**
 * A process that left its group (a shell tool's own session, a daemon) still has the temp root in its environment,
 * as HOME and TMPDIR. Linux shows it in /proc; elsewhere such a process cannot be found.
 *
 * @param {string} root
 */
function killStrays(root) {
  // A stray may fork while we look, so look again.
  for (let round = 0; round < 5; round++) {
    const strays = pids().filter((pid) => pid !== process.pid && environment(pid).includes(root))
    if (strays.length === 0) return
    for (const pid of strays) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended in between.
      }
    }
  }
}

function pids() {
  if (process.platform !== 'linux') return []
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** @param {number} pid */
function environment(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'latin1')
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

module.exports = { signalGroup, sweepDir }
