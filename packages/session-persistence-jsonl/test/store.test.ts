import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionHeader } from '@acp-snapshot/session'
import { createLog, listLogs, logFile, openLog } from '../src/store.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'store-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const header = (id: string, createdAt = 0): SessionHeader => ({ type: 'session', version: 0, id, createdAt, cwd: '/w' })
const event = (seq: number) => ({ type: 'step/start', seq, time: 0, data: { turn: 1, step: seq + 1 } })

test('appended events are there when the log is opened again', async () => {
  const writer = createLog(root, header('a'))
  writer.append(event(0))
  await writer.close()
  const opened = openLog(root, 'a')
  opened?.writer.append(event(1))
  await opened?.writer.close()
  expect(openLog(root, 'a')?.log.events).toEqual([event(0), event(1)])
})

test('an event has left the process when append returns', () => {
  createLog(root, header('a')).append(event(0))
  expect(readFileSync(logFile(root, 'a'), 'utf8')).toContain('"seq":0')
})

test('a torn last line is cut off the file', async () => {
  await createLog(root, header('a')).close()
  appendFileSync(logFile(root, 'a'), `${JSON.stringify(event(0))}\n{"type":"step/e`)
  const opened = openLog(root, 'a')
  opened?.writer.append(event(1))
  expect(opened?.log.events).toEqual([event(0)])
  await opened?.writer.close()
  expect(openLog(root, 'a')?.log.events).toHaveLength(2)
})

test('a log that is invalid in any other way is rejected with file and line, and stays unchanged', async () => {
  await createLog(root, header('a')).close()
  appendFileSync(logFile(root, 'a'), `${JSON.stringify(event(1))}\n`)
  const before = readFileSync(logFile(root, 'a'))
  expect(() => openLog(root, 'a')).toThrow(`${logFile(root, 'a')}:2: expected seq 0, got 1`)
  expect(readFileSync(logFile(root, 'a'))).toEqual(before)
})

test('there is never a second writer', async () => {
  const writer = createLog(root, header('a'))
  expect(() => openLog(root, 'a')).toThrow(`is being written by process ${process.pid}`)
  await writer.close()
  await openLog(root, 'a')?.writer.close()
})

test('the lock of a dead process is taken over', async () => {
  await createLog(root, header('a')).close()
  const lock = `${logFile(root, 'a')}.lock`
  mkdirSync(lock)
  writeFileSync(join(lock, `${2 ** 22 + 1}-0123456789abcdef.1`), '')
  await openLog(root, 'a')?.writer.close()
  expect(readdirSync(root)).toEqual(['a.jsonl'])
})

test.each([
  ['our own', process.pid],
  ['the first', 1],
  ["our parent's", process.ppid],
])('a lock of an earlier process that had %s pid does not block', async (_, pid) => {
  await createLog(root, header('a')).close()
  const lock = `${logFile(root, 'a')}.lock`
  mkdirSync(lock)
  writeFileSync(join(lock, `${pid}-0123456789abcdef.1`), '')
  await openLog(root, 'a')?.writer.close()
  expect(readdirSync(root)).toEqual(['a.jsonl'])
})

test.each([String(process.pid), '1', '-1', '0', ''])(
  'a lock file of an earlier version that holds %j does not block',
  async (text) => {
    await createLog(root, header('a')).close()
    writeFileSync(`${logFile(root, 'a')}.lock`, text)
    await openLog(root, 'a')?.writer.close()
    expect(readdirSync(root)).toEqual(['a.jsonl'])
  },
)

test.each(['-1-0.1', '0-0.1', 'x', '1', '.'.repeat(5)])(
  'a claim %j that no process made does not block',
  async (name) => {
    await createLog(root, header('a')).close()
    mkdirSync(`${logFile(root, 'a')}.lock`)
    writeFileSync(join(`${logFile(root, 'a')}.lock`, name), '')
    await openLog(root, 'a')?.writer.close()
    expect(readdirSync(root)).toEqual(['a.jsonl'])
  },
)

test('an invalid byte in a torn last line does not move the cut', async () => {
  await createLog(root, header('a')).close()
  const whole = `${JSON.stringify({ ...event(0), type: 'x/y', data: { text: 'é€😀' } })}\n`
  appendFileSync(logFile(root, 'a'), whole)
  const before = readFileSync(logFile(root, 'a'))
  appendFileSync(logFile(root, 'a'), Buffer.from([0x7b, 0xff, 0xfe, 0xc3, 0x22, 0xf0, 0x9f]))
  const opened = openLog(root, 'a')
  expect(readFileSync(logFile(root, 'a'))).toEqual(before)
  opened?.writer.append(event(1))
  await opened?.writer.close()
  expect(openLog(root, 'a')?.log.events).toHaveLength(2)
})

test('an invalid byte before the torn last line is rejected with its line, and nothing is cut', async () => {
  await createLog(root, header('a')).close()
  appendFileSync(logFile(root, 'a'), Buffer.from([0x7b, 0xff, 0x7d, 0x0a, 0x7b, 0x22]))
  const before = readFileSync(logFile(root, 'a'))
  expect(() => openLog(root, 'a')).toThrow(`${logFile(root, 'a')}:2: is not UTF-8`)
  expect(readFileSync(logFile(root, 'a'))).toEqual(before)
  expect(readdirSync(root)).toEqual(['a.jsonl'])
})

const IN_THE_WAY: [string, (file: string) => void][] = [
  ['a FIFO', (file) => spawnSync('mkfifo', [file])],
  ['a directory', (file) => mkdirSync(file)],
  ['a symbolic link', (file) => symlinkSync('/dev/zero', file)],
  ['a symbolic link', (file) => symlinkSync('nowhere', file)],
  ['a symbolic link', (file) => symlinkSync(file, file)],
]
const onPosix = process.platform === 'win32' ? test.skip : test

onPosix.each(IN_THE_WAY)('%s in place of a log is refused, and never waited for', async (kind, make) => {
  const file = logFile(root, 'a')
  make(file)
  const message = `${file}: expected a session log, got ${kind}`
  expect(() => openLog(root, 'a')).toThrow(message)
  expect(() => listLogs(root)).toThrow(message)
  expect(() => createLog(root, header('a'))).toThrow('already exists')
  expect(readdirSync(root)).toEqual(['a.jsonl'])
})

test('a session with the same id is never overwritten', async () => {
  await createLog(root, header('a', 1)).close()
  expect(() => createLog(root, header('a', 2))).toThrow('already exists')
  expect(listLogs(root)).toEqual([header('a', 1)])
})

test('the remains of a creation killed before it wrote the header are no log, and are replaced', async () => {
  writeFileSync(`${logFile(root, 'a')}.new`, '{"type":"sess')
  expect(listLogs(root)).toEqual([])
  expect(openLog(root, 'a')).toBeUndefined()
  await createLog(root, header('a')).close()
  expect(listLogs(root)).toEqual([header('a')])
  expect(readdirSync(root)).toEqual(['a.jsonl'])
})

test('a header that cannot be written leaves nothing behind', () => {
  const unwritable = {
    ...header('a'),
    get cwd(): string {
      throw new Error('no more room')
    },
  }
  expect(() => createLog(root, unwritable)).toThrow('no more room')
  expect(readdirSync(root)).toEqual([])
})

test('an unknown id has no log, and an id cannot leave the root', async () => {
  expect(openLog(root, 'nobody')).toBeUndefined()
  await createLog(root, header('../../x')).close()
  expect(readdirSync(root)).toEqual(['..%2F..%2Fx.jsonl'])
})

test('a log of another session is rejected', async () => {
  await createLog(root, header('a')).close()
  writeFileSync(logFile(root, 'b'), readFileSync(logFile(root, 'a')))
  expect(() => openLog(root, 'b')).toThrow('expected the log of session b, got the log of a')
})

test('lists the logs, oldest first', async () => {
  await createLog(root, header('young', 2)).close()
  await createLog(root, header('old', 1)).close()
  expect(listLogs(root).map(({ id }) => id)).toEqual(['old', 'young'])
  expect(listLogs(join(root, 'nowhere'))).toEqual([])
})

test('an abandoned log is free for the next writer at once', async () => {
  const writer = createLog(root, header('a'))
  writer.abandon()
  const next = openLog(root, 'a')
  expect(next?.log.header.id).toBe('a')
  await writer.close()
  expect(() => openLog(root, 'a')).toThrow('is being written by process')
  await next?.writer.close()
})
