import { golden, orders, Project } from './project.ts'

const REFUSED =
  'The client refused requests of the agent (-32601, "Method not found"):\n' +
  '  step 3: _vendor/ask: "answers" of input.json can answer it\n'

let project: Project

afterEach(() => project.remove())

test('a refused request is told with a golden that is written, and with one that differs, and not otherwise', () => {
  const asks = orders('call _vendor/ask {}')
  project = new Project({ asks: { 'input.json': asks } })
  const first = project.jest([])
  expect(first).toMatchObject({ exitCode: 0, output: expect.stringContaining(`asks: ${REFUSED}`) })
  expect(project.fixtures()['asks/stdout.golden.jsonl']).toContain('"method":"_vendor/ask"')

  project.add('differs', { 'input.json': asks, 'stdout.golden.jsonl': golden() })
  const second = project.jest(['--ci'])
  expect(second.output.replace(/^ +/gm, '  ')).toContain(REFUSED.replace('The', '  The'))
  expect(second.output).not.toContain('asks: The client refused')
})

test('a secret that the agent was passed stands in no message, whether a golden differs or may not be written', () => {
  const secret = 'correct-horse-battery'
  const input = { 'input.json': orders(`shell echo ${'$MY_TOKEN'} >&2`, `call _vendor/${secret} {}`) }
  project = new Project({ differs: { ...input, 'stdout.golden.jsonl': golden(secret) }, first: input })
  project.configure({ passes: ['MY_TOKEN'] })
  const { exitCode, output } = project.jest(['--ci=false'], { MY_TOKEN: secret })
  expect(exitCode).toBe(1)
  expect(output).toContain('[redacted]')
  expect(output).toMatch(/stderr of the agent:\n +\| \[redacted\]/)
  expect(output).not.toContain(secret)
})
