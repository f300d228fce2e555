import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { createLog, openLog } from '../src/store.ts'

/** `STRESS=1` makes as many acquisitions as the issue asks for. */
const ACQUISITIONS = process.env.STRESS ? 10_000 : 500
const PROCESSES = 3
const EVENT = { type: 'x/y', time: 0 }

jest.setTimeout(process.env.STRESS ? 3_600_000 : 300_000)

let root: string
let contender: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stress-'))
  contender = join(root, 'contender.cjs')
  const entry = join(__dirname, 'contender.ts')
  buildSync({
    entryPoints: [entry],
    outfile: contender,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  })
  mkdirSync(join(root, 'inside'))
  writeFileSync(join(root, 'said'), '')
})
afterEach(() => rmSync(root, { recursive: true }))

const said = (word: string) =>
  readFileSync(join(root, 'said'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${word} `) || line === word)

// Whether a process runs is read in /proc.
const onLinux = process.platform === 'linux' ? test : test.skip

onLinux(
  `three processes, killed at random, never write one log together and lose nothing flushed: ${ACQUISITIONS} acquisitions`,
  async () => {
    await createLog(root, { type: 'session', version: 0, id: 'a', createdAt: 0, cwd: '/w' }).close()
    const failures: string[] = []
    let kills = 0
    await Promise.all(Array.from({ length: PROCESSES }, (_, index) => contend(index)))

    expect(failures).toEqual([])
    expect(said('violation')).toEqual([])
    expect(said('acquired').length).toBeGreaterThanOrEqual(ACQUISITIONS)
    expect(kills).toBeGreaterThan(0)
    const opened = openLog(root, 'a')
    const events = opened?.log.events ?? []
    expect(events).toEqual(events.map((_, seq) => ({ ...EVENT, seq, data: { text: `é€😀 ${seq}` } })))
    const flushed = said('flushed').map((line) => Number(line.split(' ')[1]))
    expect(events.length).toBeGreaterThanOrEqual(Math.max(...flushed))
    await opened?.writer.close()

    /** Keeps one process at work, and starts another when it was killed. */
    async function contend(index: number): Promise<void> {
      for (let life = 0; said('acquired').length < ACQUISITIONS; life++) {
        const child = start(index * 7919 + life)
        const ended = once(child, 'exit')
        const killer = new AbortController()
        if (life % 2 === 0) void killLater(child, killer.signal)
        const [code, signal] = await ended
        killer.abort()
        if (signal === 'SIGKILL') kills++
        else if (code !== 0) failures.push(`a process ended with ${code ?? signal}`)
        if (failures.length > 0) return
      }
    }
  },
)

async function killLater(child: ChildProcess, signal: AbortSignal): Promise<void> {
  await delay(100 + Math.random() * 1000, undefined, { signal }).catch(() => undefined)
  child.kill('SIGKILL')
}

function start(seed: number): ChildProcess {
  return spawn(process.execPath, [contender, root, '200', String(seed)], { stdio: ['ignore', 'ignore', 'inherit'] })
}
