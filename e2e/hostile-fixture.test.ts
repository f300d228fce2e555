import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { scenariosThat, snapshot } from './support/snapshot-run.ts'

const project = new ProjectCopy()
const at = (file: string) => join(project.fixtures, file)

afterAll(() => project.remove())

test('Jest reports every unreadable fixture, without a stack trace', async () => {
  writeFileSync(at('handshake/input.json'), '{\n  "steps": [\n    { "op": "initialize" },\n  ]\n}\n')
  writeFileSync(at('handshake/stray.txt'), '')
  writeFileSync(at('unknown-session/input.json'), `{ "steps": ${'['.repeat(100_000)}${']'.repeat(100_000)} }`)
  for (const name of ['text-turn/stdout.golden.jsonl', 'unicode/session.jsonl']) {
    rmSync(at(name))
    execFileSync('mkfifo', [at(name)])
  }
  const run = await project.jest([...snapshot('handshake', 'unknown-session', 'text-turn', 'unicode'), '--ci'])
  expect(scenariosThat('FAIL', run)).toEqual(['handshake', 'text-turn', 'unicode', 'unknown-session'])
  expect(run.output).toContain('__fixtures__/handshake/input.json:4:3: not JSON: expected a value, got "]"')
  expect(run.output).toMatch(/__fixtures__\/handshake\/stray\.txt: /)
  expect(run.output).toContain('__fixtures__/unknown-session/input.json:1:111: nested too deeply')
  expect(run.output).toContain('__fixtures__/text-turn/stdout.golden.jsonl: is a FIFO, not a regular file')
  expect(run.output).toContain('__fixtures__/unicode/session.jsonl: is a FIFO, not a regular file')
  expect(run.output).not.toMatch(/environment\/src|RangeError|SyntaxError/)
})

test('a recording does not block on a log that is a FIFO', async () => {
  const run = await project.jest(snapshot('unicode'), { RECORD: '1', DEEPSEEK_API_KEY: 'x-y-z-1-2-3' })
  expect(run.status).toBe(1)
  expect(run.output).toContain('__fixtures__/unicode/session.jsonl: is a FIFO, not a regular file')
})
