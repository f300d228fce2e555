import * as fs from 'node:fs'
import os, { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cleanTempDir } from '../../src/child/clean-root.ts'
import { createWorkplace } from '../../src/child/workplace.ts'

const FOR_AGENTS = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.git']
const FOR_NODE = ['package.json', 'node_modules']

let root: string
/** The system's temp directory, and two others: each deep in a directory of its own. */
let system: string
let others: string[]

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'clean-root-'))
  const [first = '', ...more] = ['system', 'a', 'b'].map((name) => join(root, name, 'deep', 'tmp'))
  for (const dir of [first, ...more]) fs.mkdirSync(dir, { recursive: true })
  system = first
  others = more
  jest.spyOn(os, 'tmpdir').mockReturnValue(system)
})

afterEach(() => {
  jest.restoreAllMocks()
  fs.rmSync(root, { recursive: true })
})

/** Puts a file where an agent finds it from a temp directory. */
function putAbove(name: string, ...dirs: string[]): void {
  for (const dir of dirs) fs.writeFileSync(join(dir, '..', '..', name), '')
}

test('a temp directory with nothing above it is used', () => {
  expect(cleanTempDir(others)).toBe(system)
})

test.each([...FOR_AGENTS, ...FOR_NODE])(
  'a temp directory below %s is not used, but the first alternative without it',
  (name) => {
    putAbove(name, system, others[0] ?? '')
    expect(cleanTempDir(others)).toBe(others[1])
  },
)

test('the workplace is then in /tmp or /var/tmp, and the first directory stays empty', () => {
  putAbove('AGENTS.md', system)
  const { root: made, remove } = createWorkplace()
  remove()
  expect(dirname(made)).toMatch(/^(\/private)?(\/tmp|\/var\/tmp)$/)
  expect(fs.readdirSync(system)).toEqual([])
})

test.each(FOR_NODE)('if every directory has %s above it, one is still used', (name) => {
  putAbove(name, system, ...others)
  expect(cleanTempDir(others)).toBe(system)
  putAbove('AGENTS.md', system)
  expect(cleanTempDir(others)).toBe(others[0])
})

test.each(FOR_AGENTS)('if every directory has %s above it, the error names it and says what to do', (name) => {
  putAbove(name, system, ...others)
  expect(() => cleanTempDir(others)).toThrow(
    `got      ${join(root, 'system', name)}\nRemove it, or set TMPDIR to a directory that has no such file above it.`,
  )
})

test('a missing or read-only alternative is not used', () => {
  putAbove('AGENTS.md', system)
  expect(() => cleanTempDir([join(root, 'nowhere')])).toThrow('AGENTS.md')
  expect(cleanTempDir([join(root, 'nowhere'), ...others])).toBe(others[0])
})
