import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAuthored } from '../../src/record/authored.ts'
import { HEADER, input, log } from '../scenario/fixtures.ts'

test.each<[string, boolean, Record<string, string>]>([
  ['an override', true, { 'input.json': input({ overridden: true }), 'session.jsonl': log() }],
  ['a log that is a header alone', true, { 'input.json': input(), 'session.jsonl': HEADER }],
  ['a recorded log', false, { 'input.json': input(), 'session.jsonl': log() }],
  ['no log yet', false, { 'input.json': input() }],
  ['a script that cannot be read', false, { 'input.json': '{', 'session.jsonl': log() }],
  ['no file at all', false, {}],
])('a scenario with %s: %s', (_, authored, files) => {
  const dir = mkdtempSync(join(tmpdir(), 'authored-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  expect(isAuthored(dir)).toBe(authored)
  rmSync(dir, { recursive: true })
})
