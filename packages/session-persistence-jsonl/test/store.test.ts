import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

test('what was appended is there when the log is opened again', async () => {
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

test('a last line that a crash tore is cut off the file', async () => {
  await createLog(root, header('a')).close()
  appendFileSync(logFile(root, 'a'), `${JSON.stringify(event(0))}\n{"type":"step/e`)
  const opened = openLog(root, 'a')
  opened?.writer.append(event(1))
  expect(opened?.log.events).toEqual([event(0)])
  await opened?.writer.close()
  expect(openLog(root, 'a')?.log.events).toHaveLength(2)
})

test('a log that is broken in another way is refused with file and line, and left as it is', async () => {
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
  const deadPid = 2 ** 22 + 1
  writeFileSync(`${logFile(root, 'a')}.lock`, `${deadPid}\n`)
  await openLog(root, 'a')?.writer.close()
  expect(readdirSync(root)).toEqual(['a.jsonl'])
})

test('a session of the same id is never overwritten', async () => {
  await createLog(root, header('a', 1)).close()
  expect(() => createLog(root, header('a', 2))).toThrow('exists already')
  expect(listLogs(root)).toEqual([header('a', 1)])
})

test('an unknown id has no log, and an id cannot leave the root', async () => {
  expect(openLog(root, 'nobody')).toBeUndefined()
  await createLog(root, header('../../x')).close()
  expect(readdirSync(root)).toEqual(['..%2F..%2Fx.jsonl'])
})

test('a log that holds another session is refused', async () => {
  await createLog(root, header('a')).close()
  writeFileSync(logFile(root, 'b'), readFileSync(logFile(root, 'a')))
  expect(() => openLog(root, 'b')).toThrow('expected the log of session b, got that of a')
})

test('lists the logs, oldest first', async () => {
  await createLog(root, header('young', 2)).close()
  await createLog(root, header('old', 1)).close()
  expect(listLogs(root).map(({ id }) => id)).toEqual(['old', 'young'])
  expect(listLogs(join(root, 'nowhere'))).toEqual([])
})

test('a log that was abandoned is open to the next writer at once', async () => {
  const writer = createLog(root, header('a'))
  writer.abandon()
  const next = openLog(root, 'a')
  expect(next?.log.header.id).toBe('a')
  await writer.close()
  expect(() => openLog(root, 'a')).toThrow('is being written by process')
  await next?.writer.close()
})
