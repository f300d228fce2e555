import { orders, Project, script } from './project.ts'

jest.setTimeout(240_000)

const KEY = 'q7~Lw/x"R2+m9-Zk4_bT8vN1'
const OTHER = 'another-Value_that-9Zx7'
const HOWS = ['plain', 'base64', 'hex', 'percent', 'json', 'escapes', 'capitals', 'wrapped', 'wide']

let project: Project

afterEach(() => project.remove())

/** Every readable piece of the key in a text, in each encoding that the agent uses. */
function piecesIn(output: string, key: string): string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${key}`)
      .toString('base64')
      .slice(4, -4),
  )
  const forms = [key, key.toUpperCase(), Buffer.from(key).toString('hex'), encodeURIComponent(key), ...base64]
  const escaped = [...key].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')
  const pieces = (form: string, length: number) =>
    Array.from({ length: form.length - length }, (_, i) => form.slice(i, i + length))
  const all = [
    ...forms.flatMap((form) => pieces(form, 5)),
    ...pieces(escaped, 24),
    ...pieces([...key].join('\\u0000'), 24),
  ]
  return all.filter((piece) => output.includes(piece))
}

test('a failed recording shows no part of its key, wherever and in whatever encoding the agent leaks it', () => {
  project = new Project({})
  const add = (name: string, text: string) => {
    const input = script({ config: 'leaks' }, { op: 'prompt', text })
    project.add(name, { 'input.json': input, 'session.jsonl': undefined })
    return name
  }
  const scenarios = [
    ...HOWS.map((how) => add(how, `${how} 0 stderr chunks frame error data`)),
    ...HOWS.slice(0, 3).map((how) => add(`stdout-${how}`, `${how} 0 stdout`)),
    // At these positions, a message that shortens its quote cuts it within the key.
    ...[230, 250, 280, 310, 380, 388].map((before) =>
      add(`cut-${before}`, `plain ${before} stderr chunks frame ${before % 20 === 0 ? 'error' : 'data'}`),
    ),
    ...[280, 295].map((before) => add(`stdout-cut-${before}`, `plain ${before} stdout`)),
  ]
  // The recording also passes this variable on, and its name looks like that of a secret.
  scenarios.push('passed')
  const tell = {
    'input.json': orders('shell echo "it is $OTHER_TOKEN" >&2', 'reject -32000'),
    'session.jsonl': undefined,
  }
  project.add('passed', tell)
  project.configure({ record: { requires: ['PUPPET_KEY'], passes: ['OTHER_TOKEN'] } })
  const { output } = project.jest([], { RECORD: '1', PUPPET_KEY: KEY, OTHER_TOKEN: OTHER })
  expect(output).toContain('it is [redacted]')
  expect(piecesIn(output, OTHER)).toEqual([])
  expect(output).toMatch(new RegExp(`^Tests: +${scenarios.length} failed, ${scenarios.length} total$`, 'm'))
  expect(piecesIn(output, KEY)).toEqual([])
  for (const name of scenarios) {
    const failure = output.split(`scenario ${name},`)[1]?.split('scenario ')[0] ?? ''
    expect([name, failure]).toEqual([name, expect.stringContaining('[redacted]')])
  }
})

test('a write prints once which files were not searched for secrets', () => {
  const files = { 'input.json': orders('say hello'), 'session.jsonl': undefined, 'workspace/plain.txt': 'plain' }
  project = new Project({ made: files, other: files })
  project.write('__fixtures__/made/workspace/logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]))
  const note = 'not searched for secrets (not text): made/workspace/logo.png; check that they contain no secret'
  const notes = (args: string[], env: NodeJS.ProcessEnv = {}) => project.jest(args, env).output.split(note).length - 1
  expect(notes([], { RECORD: '1', PUPPET_KEY: 'a-long-key' })).toBe(1)
  project.write('__fixtures__/made/stdout.golden.jsonl', '{}\n')
  expect(notes(['-u'])).toBe(1)
  expect(notes([])).toBe(0)
})
