import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyAuthored } from '../../src/record/authored.cjs'
import { HEADER, input, log } from '../scenario/fixtures.ts'

const SPARED = 'authored, so it is replayed and not recorded'
const INITIALIZE = JSON.stringify({ steps: [{ op: 'initialize' }] })

test.each<[string, string | undefined, Record<string, string>]>([
  ['an override', SPARED, { 'input.json': input({ overridden: true }), 'session.jsonl': log() }],
  ['no prompt, and a log that is a header alone', SPARED, { 'input.json': INITIALIZE, 'session.jsonl': HEADER }],
  [
    'a prompt, and a log that is a header alone',
    'session.jsonl holds no model call, so it is replayed and not recorded. To record it, remove that file',
    { 'input.json': input(), 'session.jsonl': HEADER },
  ],
  ['a recorded log', undefined, { 'input.json': input(), 'session.jsonl': log() }],
  ['no log yet', undefined, { 'input.json': input() }],
  ['an empty log', undefined, { 'input.json': input(), 'session.jsonl': '' }],
  ['a script that cannot be read', undefined, { 'input.json': '{', 'session.jsonl': log() }],
  ['no file at all', undefined, {}],
])('a scenario with %s: %s', (_, why, files) => {
  const dir = mkdtempSync(join(tmpdir(), 'authored-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  expect(whyAuthored(dir, true)).toBe(why)
  rmSync(dir, { recursive: true })
})

test('where the agent keeps no logs, a log that is a header alone says nothing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'authored-'))
  writeFileSync(join(dir, 'input.json'), input())
  writeFileSync(join(dir, 'session.jsonl'), HEADER)
  expect(whyAuthored(dir, false)).toBeUndefined()
  rmSync(dir, { recursive: true })
})

// A link to it would be read for ever, a sparse file for a long time.
test.each<[string, (file: string) => void]>([
  ['a FIFO', (file) => execFileSync('mkfifo', [file])],
  ['a link to a device without an end', (file) => symlinkSync('/dev/zero', file)],
  ['a link to a file that never answers', (file) => symlinkSync('/proc/kmsg', file)],
  ['a file of 3 GB', (file) => execFileSync('truncate', ['-s', '3G', file])],
  ['a directory', (file) => mkdirSync(file)],
])('what is no file of a fixture says nothing, and is not waited for: %s', (_, make) => {
  for (const name of ['input.json', 'session.jsonl']) {
    const dir = mkdtempSync(join(tmpdir(), 'authored-'))
    if (name === 'session.jsonl') writeFileSync(join(dir, 'input.json'), input())
    make(join(dir, name))
    expect(whyAuthored(dir, true)).toBeUndefined()
    rmSync(dir, { recursive: true })
  }
})
