// One of several processes that compete for the same log in stress.test.ts. argv: root, number of rounds, seed.
// Each round opens the newest log, appends, flushes some events, reports what is flushed, and closes. A long log is
// followed by a new one, since opening a log reads all of it. While a process has a log open, its marker file is in
// `inside/<log>`: finding the marker of another running process there means that there are two writers.
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
    // Let the other processes run.
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
    // Another process was faster.
    if (!(error instanceof LogBusyError)) throw error
  }
}

/** Creates the marker file and returns its path. */
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
