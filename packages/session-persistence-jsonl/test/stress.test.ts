import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { createLog, openLog } from '../src/store.ts'

/** `npm run stress` makes many more acquisitions. */
const STRESS = process.env.STRESS === '1'
const ACQUISITIONS = STRESS ? 10_000 : 300
const PROCESSES = 3
const EVENT = { type: 'x/y', time: 0 }

jest.setTimeout(STRESS ? 3_600_000 : 300_000)

let root: string
let contender: string
beforeEach(() => {
  // On a memory file system a flush takes no time, so the test spends more of its time on the lock.
  root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'stress-'))
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
  writeFileSync(join(root, 'said'), '')
})
afterEach(() => rmSync(root, { recursive: true }))

const said = (word: string) =>
  readFileSync(join(root, 'said'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${word} `) || line === word)

/** The ids of all sessions with a log. */
const sessions = () => readdirSync(root).flatMap((name) => /^(.+)\.jsonl$/.exec(name)?.[1] ?? [])

// The contender reads /proc to see whether a process is running.
const onLinux = process.platform === 'linux' ? test : test.skip

onLinux(
  `three processes, killed at random, never write a log at the same time and lose nothing flushed: ${ACQUISITIONS} acquisitions`,
  async () => {
    await createLog(root, { type: 'session', version: 0, id: '0', createdAt: 0, cwd: '/w' }).close()
    const failures: string[] = []
    let kills = 0
    const start = performance.now()
    await Promise.all(Array.from({ length: PROCESSES }, (_, index) => contend(index)))
    const seconds = (performance.now() - start) / 1000

    expect(failures).toEqual([])
    expect(said('violation')).toEqual([])
    const counts = { acquisitions: said('acquired').length, kills, torn: said('torn').length, logs: sessions().length }
    if (STRESS) process.stdout.write(`${JSON.stringify({ ...counts, seconds })}\n`)
    expect(counts.acquisitions).toBeGreaterThanOrEqual(ACQUISITIONS)
    // Otherwise the test has shown nothing.
    expect(Math.min(counts.kills, counts.torn, counts.logs - 1)).toBeGreaterThan(0)
    for (const id of sessions()) await expectWhole(id)

    /** Keeps one process running, and starts another one when it was killed. */
    async function contend(index: number): Promise<void> {
      for (let life = 0; said('acquired').length < ACQUISITIONS; life++) {
        const child = startContender(index * 7919 + life)
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

/** Expects that a log is readable once its torn tail is cut, and contains each event once, including all flushed ones. */
async function expectWhole(id: string): Promise<void> {
  const opened = openLog(root, id)
  const events = opened?.log.events ?? []
  await opened?.writer.close()
  expect(events).toEqual(events.map((_, seq) => ({ ...EVENT, seq, data: { text: `é€😀 ${seq}` } })))
  const flushed = said('flushed').map((line) => line.split(' '))
  const last = Math.max(0, ...flushed.filter(([, log]) => log === id).map(([, , seq]) => Number(seq)))
  expect(events.length).toBeGreaterThanOrEqual(last)
}

async function killLater(child: ChildProcess, signal: AbortSignal): Promise<void> {
  await delay(100 + Math.random() * 1000, undefined, { signal }).catch(() => undefined)
  child.kill('SIGKILL')
}

function startContender(seed: number): ChildProcess {
  return spawn(process.execPath, [contender, root, '200', String(seed)], { stdio: ['ignore', 'ignore', 'inherit'] })
}
