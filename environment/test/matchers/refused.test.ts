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
