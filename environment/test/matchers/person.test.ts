import { golden, orders, Project } from './project.ts'

const SAME = { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('hello') }

/** Matches a line of a stack trace or of a code frame. */
const CODE = /^ +at |^ *>? *\d+ \|/m

let project: Project
afterEach(() => project.remove())

function outputOf(config: object, files: Record<string, string> = SAME, ...args: string[]): string {
  project = new Project({ same: files }, config)
  const { exitCode, output } = project.jest(['--ci', ...args])
  expect(exitCode).toBe(1)
  return output
}

test.each([
  ['testEnvironment', { testEnvironment: 'node' }, "add testEnvironment: 'jest-environment-acp' to the Jest config"],
  [
    'the setup file',
    { setupFilesAfterEnv: [] },
    "no test was registered: add setupFilesAfterEnv: ['jest-environment-acp/setup']",
  ],
  ['the serializer', { snapshotSerializers: [] }, "add snapshotSerializers: ['jest-serializer-acp/plugin']"],
  ['the options', { testEnvironmentOptions: {} }, 'testEnvironmentOptions.acp is missing: add testEnvironmentOptions:'],
  ['the command', { testEnvironmentOptions: { acp: {} } }, 'testEnvironmentOptions.acp.command must be the program'],
  [
    'a misspelled option',
    { testEnvironmentOptions: { acp: { comand: 'node' } } },
    'testEnvironmentOptions.acp.comand is unknown; did you mean "command"?',
  ],
])('a wrong config fails with what to add, and without a code frame: %s', (_, config, message) => {
  const output = outputOf(config)
  expect(output).toContain(message)
  expect(output).not.toMatch(CODE)
})

test('control characters of the agent are printed escaped', () => {
  const osc = '\u001b]0;gotcha\u0007'
  const bidi = 'a\u202eb\u009b31m'
  const files = { ...SAME, 'input.json': orders(`error ${osc}`, `say ${bidi}`) }
  const output = outputOf({}, files)
  expect(output).toContain('\\u001b]0;gotcha\\u0007')
  expect(output).toContain('a\\u202eb\\u009b31m')
  for (const raw of [osc, '\u202e', '\u009b']) expect(output).not.toContain(raw)
})

test('a hint repeats the -c option of Jest, even from a worker', () => {
  const files = { ...SAME, 'stdout.golden.jsonl': golden('goodbye') }
  const output = outputOf({}, files, '-c', 'jest.config.json', '-w', '2', '--workerIdleMemoryLimit=1GB')
  expect(output).toContain('If this is wanted: npx jest -c jest.config.json __fixtures__/same/ -u\n')
  expect(output).not.toMatch(CODE)
})

test('a recording works without its env file if the host sets the variables', () => {
  project = new Project({ fresh: { 'input.json': orders('say hello'), 'session.jsonl': undefined } })
  project.configure({ record: { requires: ['PUPPET_KEY'], envFile: '<rootDir>/.env' } })
  const { exitCode, output } = project.jest([], { RECORD: '1', PUPPET_KEY: 'a-key' })
  expect([exitCode, output]).toEqual([0, expect.stringContaining('1 written')])
  expect(project.fixtures()['fresh/stdout.golden.jsonl']).toBe(golden('hello'))
})
