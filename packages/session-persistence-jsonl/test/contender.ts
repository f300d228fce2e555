// One of several processes that want the same log, in stress.test.ts. argv: root, how many rounds, a seed.
// Each round it opens the newest log, appends, flushes some of it, says what is flushed, and closes. A long log is
// followed by the next one, since each opening reads the whole. While it has a log, its marker lies in `inside/<log>`:
// whoever meets the marker of a running process there has found a second writer.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LogBusyError } from '../src/lock.ts'
import { createLog, logFile, openLog } from '../src/store.ts'

const [root = '', rounds = '0', seed = '0'] = process.argv.slice(2)
const LONG = 100
const TORN = [
  Buffer.from('{"type":"x/y","se'),
  Buffer.from([0xff]),
  Buffer.from([0x22, 0xf0, 0x9f, 0x98]),
  Buffer.from('{"é'),
]

let state = Number(seed)
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

function say(...words: (string | number)[]): void {
  appendFileSync(join(root, 'said'), `${words.join(' ')}\n`)
}

async function main(): Promise<void> {
  for (let round = 0; round < Number(rounds); ) {
    if (await work()) round++
    // Others get a turn.
    await new Promise((resolve) => setTimeout(resolve, random(3)))
  }
}

async function work(): Promise<boolean> {
  const newest = newestLog()
  const id = String(newest)
  let opened: ReturnType<typeof openLog>
  try {
    opened = openLog(root, id)
  } catch (error) {
    if (error instanceof LogBusyError) return false
    throw error
  }
  if (!opened) throw new Error(`the log ${id} is gone`)
  say('acquired')
  const marker = enter(id)
  const { log, writer } = opened
  let seq = log.events.length
  for (let count = 1 + random(3); count > 0; count--) {
    writer.append({ type: 'x/y', seq, time: 0, data: { text: `é€😀 ${seq}` } })
    seq++
    if (random(6) > 0) continue
    await writer.flush()
    say('flushed', id, seq)
  }
  if (random(40) === 0) {
    // As if killed in the middle of a write.
    appendFileSync(logFile(root, id), TORN[random(TORN.length)] ?? '')
    say('torn')
    process.kill(process.pid, 'SIGKILL')
  }
  if (seq >= LONG) await follow(newest + 1)
  rmSync(marker)
  if (random(2) === 0) writer.abandon()
  else await writer.close()
  return true
}

function newestLog(): number {
  const names = readdirSync(root).flatMap((name) => /^(\d+)\.jsonl$/.exec(name)?.[1] ?? [])
  return Math.max(...names.map(Number))
}

async function follow(next: number): Promise<void> {
  try {
    await createLog(root, { type: 'session', version: 0, id: String(next), createdAt: 0, cwd: '/w' }).close()
  } catch (error) {
    // Another did so before.
    if (!(error instanceof LogBusyError)) throw error
  }
}

/** Lays down the marker, and gives its path. */
function enter(id: string): string {
  const inside = join(root, 'inside', id)
  mkdirSync(inside, { recursive: true })
  const marker = join(inside, String(process.pid))
  writeFileSync(marker, '')
  for (const name of readdirSync(inside)) {
    if (Number(name) === process.pid) continue
    if (runs(name)) say('violation', process.pid, name)
    rmSync(join(inside, name), { force: true })
  }
  return marker
}

function runs(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

void main()
