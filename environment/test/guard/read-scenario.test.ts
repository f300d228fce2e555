import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { jestCommand } from '../../src/command/hint.ts'
import { KNOWN_FILES } from '../../src/guard/check-layout.ts'
import { guardFixtures } from '../../src/guard/guard-fixtures.ts'
import { readScenario } from '../../src/guard/read-scenario.ts'
import { FixtureError } from '../../src/scenario/fault.ts'
import { readFixtureTree } from '../../src/scenario/read-files.ts'
import type { ScenarioFiles } from '../../src/scenario/tree.ts'
import { answer, HEADER, input, log, pinning, scenario } from './fixtures.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fixtures-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

function write({ name, files }: ScenarioFiles): string {
  const dir = join(root, name)
  for (const [path, content] of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  return dir
}

test('reads the script, the files, the workspace and the pin of a scenario', () => {
  const pin = write(pinning('pin'))
  const dir = write(scenario('x', { 'session.1.jsonl': log(answer('CHILD')), 'workspace/a/b.txt': 'x' }))
  expect(readScenario(dir)).toEqual({
    name: 'x',
    dir,
    input: expect.objectContaining({ headerClass: 'default', overridden: false }),
    files: scenario('x', { 'session.1.jsonl': log(answer('CHILD')), 'workspace/a/b.txt': 'x' }).files,
    isRecorded: true,
    workspace: join(dir, 'workspace'),
    pin: { class: 'default', dir: pin },
    command: expect.any(Function),
  })
})

test('a scenario that pins its class is its own pin', () => {
  const dir = write(pinning('x'))
  expect(readScenario(dir).pin).toEqual({ class: 'default', dir })
})

test('a pin of another class is not used, and a sibling that cannot be read is ignored', () => {
  write(pinning('other', {}, { headerClass: 'other' }))
  write(pinning('broken', { 'input.json': '{ "pinsHeader": true' }))
  write(pinning('other-2', {}, { headerClass: 'other' }))
  expect(readScenario(write(scenario('x'))).pin).toBeUndefined()
})

test('a fixture counts as recorded if an override or a log holds answers of the model', () => {
  const files = { 'input.json': input({ overridden: true }), 'replay.override.json': '[{"kind":"hang","session":1}]' }
  expect(readScenario(write(scenario('x', { ...files, 'session.jsonl': HEADER })))).toMatchObject({ isRecorded: true })
  expect(readScenario(write(scenario('y', { 'session.jsonl': HEADER })))).toMatchObject({ isRecorded: false })
  expect(readScenario(write(scenario('z')))).toMatchObject({ isRecorded: true })
})

test('before a recording, the script may be the only file', () => {
  const dir = write({ name: 'x', files: new Map([['input.json', input({ pinsHeader: true })]]) })
  expect(readScenario(dir, { action: 'record' })).toMatchObject({ isRecorded: false, pin: { dir } })
})

test('throws all faults of the scenario as one error, without the faults of its siblings', () => {
  write(scenario('sibling', { 'stray.txt': '' }))
  write(pinning('a'))
  const dir = write(pinning('b', { 'session.jsonl': undefined, 'stray.txt': '' }))
  const here = relative(process.cwd(), root)
  expect(() => readScenario(dir)).toThrow(
    new FixtureError([
      {
        file: `${here}/a/input.json`,
        message: '"pinsHeader": true, and header class "default" is pinned by b too; only one scenario may pin a class',
      },
      {
        file: `${here}/b/input.json`,
        message: '"pinsHeader": true, and header class "default" is pinned by a too; only one scenario may pin a class',
      },
      {
        file: `${here}/b/session.jsonl`,
        message: `is missing; RECORD=1 ${jestCommand()(`${here}/b`)} writes it`,
      },
      {
        file: `${here}/b/stray.txt`,
        message: `unknown file; a scenario has ${KNOWN_FILES}`,
      },
    ]),
  )
})

test('in a tree, directories are scenarios, and files beside them are loose', () => {
  write(scenario('x', { 'workspace/bin': new Uint8Array([0xff]) }))
  mkdirSync(join(root, 'empty'))
  writeFileSync(join(root, 'README.md'), '')
  const tree = readFixtureTree(root, dirname(root))
  expect(tree.loose).toEqual(['README.md'])
  expect(tree.scenarios).toContainEqual({ name: 'empty', files: new Map(), directories: new Set() })
  expect(tree.scenarios.find(({ name }) => name === 'x')?.files.get('workspace/bin')).toEqual(Buffer.from([0xff]))
  expect(guardFixtures(tree).map(({ file }) => file)).toEqual([
    `${tree.root}/empty/input.json`,
    `${tree.root}/empty/session.jsonl`,
  ])
})

test('a dangling link is not read, and is only one fault', () => {
  const dir = write(scenario('x'))
  symlinkSync('/nowhere/at/all', join(dir, 'link'))
  expect(guardFixtures(readFixtureTree(root)).map(({ file }) => file.split('/').at(-1))).toEqual(['link'])
})
