import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedFiles } from '@acp-snapshot/testing/file-tree'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { expectGreen, snapshot } from './support/snapshot-run.ts'

const project = new ProjectCopy()
const before = project.readFixtures()
const START = [{ op: 'initialize' }, { op: 'newSession' }]

afterEach(async () => {
  project.restore()
  expect(await project.leftovers()).toEqual([])
})
afterAll(() => project.remove())

function add(name: string, steps: object[]): void {
  mkdirSync(join(project.fixtures, name))
  writeFileSync(join(project.fixtures, name, 'input.json'), JSON.stringify({ steps }))
}

test.each([
  ['a plain run', {}],
  ['REFRESH=1', { REFRESH: '1' }],
])('%s writes the files of a new scenario that calls no model, without a key', async (_, env) => {
  add('only-initialize', START.slice(0, 1))
  add('only-session', START)
  const made = snapshot('only-initialize', 'only-session')
  expectGreen(await project.jest(made, env))
  const files = ['input.json', 'session.jsonl', 'stdout.golden.jsonl']
  expect(changedFiles(before, project.readFixtures())).toEqual(
    ['only-initialize', 'only-session'].flatMap((name) => files.map((file) => `${name}/${file}`)),
  )
  expectGreen(await project.jest([...made, '--ci']))
})

test.each([
  ['a plain run', {}],
  ['REFRESH=1', { REFRESH: '1' }],
])('%s writes nothing for a new scenario that calls a model, and asks for RECORD=1', async (_, env) => {
  add('prompts', [...START, { op: 'prompt', text: 'Say PONG.' }])
  const run = await project.jest(snapshot('prompts'), env)
  expect(run).toMatchObject({ status: 1, output: expect.stringContaining('RECORD=1') })
  expect(changedFiles(before, project.readFixtures())).toEqual(['prompts/input.json'])
})
