// One of several processes that want the same log, in stress.test.ts. argv: root, how many rounds, a seed.
// Each round it opens the log, appends, flushes some of it, says what is flushed, and closes. While it has the log, its
// marker lies in `inside`: whoever meets the marker of a running process there has found a second writer.
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LogBusyError } from '@acp-snapshot/session-persistence/writer'
import { logFile, openLog } from '../src/store.ts'

const [root = '', rounds = '0', seed = '0'] = process.argv.slice(2)
const inside = join(root, 'inside')
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
  let opened: ReturnType<typeof openLog>
  try {
    opened = openLog(root, 'a')
  } catch (error) {
    if (error instanceof LogBusyError) return false
    throw error
  }
  if (!opened) throw new Error('the log is gone')
  say('acquired')
  enter()
  const { log, writer } = opened
  let seq = log.events.length
  for (let count = 1 + random(3); count > 0; count--) {
    writer.append({ type: 'x/y', seq, time: 0, data: { text: `é€😀 ${seq}` } })
    seq++
    if (random(3) > 0) continue
    await writer.flush()
    say('flushed', seq)
  }
  if (random(60) === 0) {
    // As if killed in the middle of a write.
    appendFileSync(logFile(root, 'a'), TORN[random(TORN.length)] ?? '')
    process.kill(process.pid, 'SIGKILL')
  }
  rmSync(join(inside, String(process.pid)))
  await writer.close()
  return true
}

function enter(): void {
  writeFileSync(join(inside, String(process.pid)), '')
  for (const name of readdirSync(inside)) {
    if (Number(name) === process.pid) continue
    if (runs(name)) say('violation', process.pid, name)
    rmSync(join(inside, name), { force: true })
  }
}

function runs(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

void main()
