import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, writtenPid } from '@acp-snapshot/testing/processes'
import { Context } from 'cordis'
import * as shellLocal from '../src/index.ts'

const CWD = mkdtempSync(join(tmpdir(), 'shell-local-'))
const DEFAULTS = shellLocal.Config.parse(undefined)
const signal = new AbortController().signal
const LASTING = "trap '' TERM; echo begun; sleep 1000 & echo $! > pid; wait"

/** Shows the limits of the plugin, and which processes remain after its disposal and after the exit of its process. */
async function main(): Promise<void> {
  const root = new Context()
  root.on('internal/error', (error: unknown) => console.error(error))

  const limited = await root.plugin(shellLocal, { timeoutMs: 200, maxOutputBytes: 4 })
  const byConfig = await shell(root).run('echo 123456; sleep 1000', { cwd: CWD, signal })
  const byCaller = await shell(root).run('echo 123456', { cwd: CWD, signal, maxOutputBytes: 6 })
  await limited.dispose()

  const plugin = await root.plugin(shellLocal, DEFAULTS)
  const order: string[] = []
  const running = shell(root).run(LASTING, { cwd: CWD, signal })
  const ended = running.finally(() => order.push('command ended'))
  const pid = await writtenPid(join(CWD, 'pid'))
  await plugin.dispose()
  order.push('plugin disposed')
  const disposed = await ended

  rmSync(join(CWD, 'pid'))
  await root.plugin(shellLocal, DEFAULTS)
  void shell(root).run(LASTING, { cwd: CWD, signal })
  const atExit = await writtenPid(join(CWD, 'pid'))
  process.stdout.write(JSON.stringify({ byConfig, byCaller, disposed, order, pid, atExit, alive: isAlive(atExit) }))
  rmSync(CWD, { recursive: true })
  process.exit()
}

function shell(root: Context) {
  const found = root.get('shell')
  if (!found) throw new Error('no plugin provides shell')
  return found
}

void main()
