import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printSessionLog, SessionLog } from '@acp-snapshot/session'
import { says } from '../../boot/test/answers.ts'
import { readScripts } from '../src/scripts.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'scripts-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Writes a log whose one model call says a text. */
function writeLog(name: string, text: string, finished = true): void {
  const log = new SessionLog({ type: 'session', version: 0, id: 's', createdAt: 0 })
  const entry = says(text)
  const chunks = entry.kind === 'chunks' ? entry.chunks : []
  log.append('step/start', { turn: 1, step: 1 })
  for (const chunk of finished ? chunks : chunks.slice(0, -1)) {
    log.append('assistant/chunk', { turn: 1, step: 1, chunk })
  }
  writeFileSync(join(dir, name), printSessionLog({ header: log.header, events: [...log.events] }))
}

test('reads one script a log, in the order of their numbers', () => {
  writeLog('session.jsonl', 'zero')
  writeLog('session.1.jsonl', 'one')
  writeLog('session.3.jsonl', 'three')
  const scripts = readScripts(dir)
  expect(scripts.entries).toEqual([[says('zero')], [says('one')]])
  expect(scripts.source(1)).toBe(join(dir, 'session.1.jsonl'))
  expect(scripts.source(2)).toBe(join(dir, 'session.2.jsonl'))
})

test('reads an override where there is one, and then nothing else', () => {
  writeLog('session.jsonl', 'recorded')
  const entries = [{ ...says('b'), session: 1 }, says('a'), { ...says('b again'), session: 1 }]
  const file = join(dir, 'replay.override.json')
  writeFileSync(file, JSON.stringify(entries))
  const scripts = readScripts(dir)
  expect(scripts.entries).toEqual([[says('a')], [says('b'), says('b again')]])
  expect(scripts.source(0)).toBe(file)
})

test('a new scenario has no scripts, and a call would be told which file it needs', () => {
  const scripts = readScripts(dir)
  expect(scripts.entries).toEqual([])
  const file = join(dir, 'session.jsonl')
  expect(scripts.source(0)).toBe(`${file} (which does not exist: RECORD=1 records the scenario)`)
  rmSync(dir, { recursive: true })
  expect(() => readScripts(dir)).toThrow(`${dir} does not exist`)
})

test('names the file and the place of what cannot be served', () => {
  writeLog('session.jsonl', 'zero')
  writeLog('session.1.jsonl', 'one', false)
  expect(() => readScripts(dir)).toThrow(`${join(dir, 'session.1.jsonl')}: turn 1 step 1: the model's answer never`)
  cpSync(join(dir, 'session.jsonl'), join(dir, 'session.1.jsonl'))
  writeFileSync(join(dir, 'replay.override.json'), '[{"kind":"sing"}]')
  expect(() => readScripts(dir)).toThrow(join(dir, 'replay.override.json'))
})
