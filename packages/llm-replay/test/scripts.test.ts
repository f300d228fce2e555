import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printSessionLog, SessionLog } from '@acp-snapshot/session'
import { says } from '@acp-snapshot/testing/answers'
import { readScripts } from '../src/scripts.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'scripts-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Writes a log with one model call that answers with a text. */
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

test('reads one script from each log, in the order of their numbers', () => {
  writeLog('session.jsonl', 'zero')
  writeLog('session.1.jsonl', 'one')
  writeLog('session.3.jsonl', 'three')
  const scripts = readScripts(dir)
  expect(scripts.entries).toEqual([[says('zero')], [says('one')]])
  const again = '. Record the scenario again if the agent now makes more calls on purpose'
  expect(scripts.lacks(1)).toBe(`${join(dir, 'session.1.jsonl')} holds 1${again}`)
  expect(scripts.lacks(2)).toBe(`${join(dir, 'session.2.jsonl')} is missing; record the scenario with RECORD=1`)
})

test('reads only the override if there is one', () => {
  writeLog('session.jsonl', 'recorded')
  const entries = [{ ...says('b'), session: 1 }, says('a'), { ...says('b again'), session: 1 }]
  const file = join(dir, 'replay.override.json')
  writeFileSync(file, JSON.stringify(entries))
  const scripts = readScripts(dir)
  expect(scripts.entries).toEqual([[says('a')], [says('b'), says('b again')]])
  expect(scripts.lacks(0)).toContain(`${file} holds 1. Record`)
  expect(scripts.lacks(2)).toContain(`${file} holds 0. Record`)
})

test('a scenario without a log has no script, and the error text says how to record one', () => {
  const missing = `${join(dir, 'session.jsonl')} is missing; record the scenario with RECORD=1`
  expect(readScripts(dir).entries).toEqual([])
  expect(readScripts(dir).lacks(0)).toBe(missing)
  rmSync(dir, { recursive: true })
  expect(readScripts(dir).lacks(0)).toBe(missing)
})

test('an error names the file that cannot be served, and the place in it', () => {
  writeLog('session.jsonl', 'zero')
  writeLog('session.1.jsonl', 'one', false)
  expect(() => readScripts(dir)).toThrow(`${join(dir, 'session.1.jsonl')}:6: turn 1 step 1: the model's answer never`)
  cpSync(join(dir, 'session.jsonl'), join(dir, 'session.1.jsonl'))
  writeFileSync(join(dir, 'replay.override.json'), '[{"kind":"sing"}]')
  expect(() => readScripts(dir)).toThrow(join(dir, 'replay.override.json'))
})
