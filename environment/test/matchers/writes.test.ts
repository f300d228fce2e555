import { HEADER } from '../guard/fixtures.ts'
import { golden, orders, Project } from './project.ts'

let project: Project

afterEach(() => {
  const left = project.leftovers()
  project.remove()
  expect(left).toEqual({ directories: [], processes: [] })
})

test('REFRESH=1 writes goldens and logs, and Jest counts the goldens', () => {
  project = new Project({
    same: { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('hello') },
    other: { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('goodbye'), 'session.1.jsonl': HEADER },
    fresh: { 'input.json': orders('show $HOME/note'), 'home/note': 'hello' },
    crash: { 'input.json': orders('say hello', 'reject 7'), 'stdout.golden.jsonl': golden('hello') },
  })
  const crash = project.fixtures()['crash/stdout.golden.jsonl']
  const { output } = project.jest([], { REFRESH: '1' })
  expect(output).toMatch(/^ › 1 snapshot written from 1 test suite\.$/m)
  expect(output).toMatch(/^ › 1 snapshot updated from 1 test suite\.$/m)
  expect(output).toMatch(/^Snapshots: {3}1 updated, 1 written, 3 passed, 5 total$/m)
  const files = project.fixtures()
  for (const name of ['same', 'other', 'fresh']) {
    expect([name, files[`${name}/stdout.golden.jsonl`]]).toEqual([name, golden('hello')])
    expect([name, files[`${name}/session.jsonl`]]).toEqual([name, HEADER])
  }
  expect(files).not.toHaveProperty(['other/session.1.jsonl'])
  expect(files['crash/stdout.golden.jsonl']).toBe(crash)
})

test('RECORD=1 needs its key before it starts an agent, writes whole fixtures, and only compares an overridden one', () => {
  project = new Project({
    fresh: { 'input.json': orders('say hello'), 'session.jsonl': undefined },
    authored: {
      'input.json': JSON.stringify({ overridden: true, ...JSON.parse(orders('say hello')) }),
      'replay.override.json': '[]',
      'stdout.golden.jsonl': golden('goodbye'),
    },
    silent: { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('goodbye') },
  })
  const without = project.jest(['fresh'], { RECORD: '1' })
  expect(without.output).toContain('RECORD=1 needs PUPPET_KEY, set in the environment\n')
  expect([without.exitCode, project.boots(), Object.keys(project.fixtures())]).toEqual([
    1,
    0,
    [
      'authored/input.json',
      'authored/replay.override.json',
      'authored/session.jsonl',
      'authored/stdout.golden.jsonl',
      'fresh/input.json',
      'silent/input.json',
      'silent/session.jsonl',
      'silent/stdout.golden.jsonl',
    ],
  ])

  const { output } = project.jest([], { RECORD: '1', PUPPET_KEY: 'a-key' })
  expect(output).toMatch(/^Snapshots: {3}1 failed, 1 updated, 1 written, 2 passed, 5 total$/m)
  expect(project.fixtures()).toMatchObject({
    'authored/stdout.golden.jsonl': golden('goodbye'),
    'fresh/stdout.golden.jsonl': golden('hello'),
    'fresh/session.jsonl': HEADER,
    // This agent does not call the model, so its log holds only a header.
    'silent/stdout.golden.jsonl': golden('hello'),
    'silent/session.jsonl': HEADER,
  })
  expect(output).toContain('authored: "overridden": true, so it is compared and not recorded')
  expect(output).toContain(
    'RECORD=1: recording up to 2 scenarios with the real model; 1 more is overridden, and only compared',
  )
})

test('RECORD=1 is refused under --ci, and no agent is started', () => {
  project = new Project({ fresh: { 'input.json': orders('say hello'), 'session.jsonl': undefined } })
  const { exitCode, output } = project.jest(['--ci'], { RECORD: '1', PUPPET_KEY: 'a-key' })
  expect([exitCode, output]).toEqual([1, expect.stringContaining('RECORD=1 is refused under --ci (or CI=true): it')])
  expect([project.boots(), Object.keys(project.fixtures())]).toEqual([0, ['fresh/input.json']])
})

test('if a recording holds a secret, nothing is written', () => {
  project = new Project({ fresh: { 'input.json': orders('say a-long-secret-key'), 'session.jsonl': undefined } })
  const { output } = project.jest([], { RECORD: '1', PUPPET_KEY: 'a-long-secret-key' })
  expect(output).toContain('holds the value of PUPPET_KEY')
  expect(Object.keys(project.fixtures())).toEqual(['fresh/input.json'])
})
