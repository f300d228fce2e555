import { type Files, golden, type JestRun, orders, Project, script } from './project.ts'

/** An order that says a text which does not appear literally in the script. */
const say = (text: string) => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  return `update ${JSON.stringify(update).replaceAll('/', '\\u002f')}`
}
const NAMED = orders(say('in /tmp/foo-a1B2c3/x'))
const LATE = golden('hello').trimEnd().split('\n')
const LATE_GOLDEN = `${[LATE[0], LATE[1], LATE[3], LATE[2]].join('\n')}\n`

const SCENARIOS: Record<string, Files> = {
  version: { 'input.json': JSON.stringify({ ...JSON.parse(orders('say hello')), config: 'versioned' }) },
  built: { 'input.json': orders('say build-$UUID, not data') },
  data: { 'input.json': JSON.stringify({ ...JSON.parse(NAMED), dataPaths: ['/tmp/foo-a1B2c3/x'] }) },
  random: { 'input.json': orders(say('in /tmp/foo-a1B2c3/x')) },
  shot: { 'input.json': orders('say wrote /tmp/shot_$UUID.jpg') },
  place: { 'input.json': orders('shell test -d {{cwd}}/. && pwd > {{tmp}}/out', 'say in {{cwd}}/a, {{other}}') },
  extra: { 'input.json': script({}, { op: 'prompt', text: 'last hello' }), 'stdout.golden.jsonl': golden() },
  missing: { 'input.json': script({}, { op: 'prompt', text: 'error none' }), 'stdout.golden.jsonl': LATE_GOLDEN },
  changed: { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('goodbye') },
}

const ADDED = [
  { name: 'build', match: 'build-[0-9a-f-]+', token: 'build' },
  { name: 'never', at: '/params/update/price', token: 'price' },
]

let project: Project
let first: JestRun
let again: JestRun

beforeAll(() => {
  project = new Project(SCENARIOS)
  const versioned = (version: string) => ({ configs: { versioned: { env: { VERSION: version } } } })
  project.configure({ ...versioned('1.0.0'), normalize: { on: ['agent-version'], add: ADDED, unordered: ['plan'] } })
  first = project.jest(['--maxWorkers=2'])
  project.configure(versioned('1.0.1'))
  again = project.jest(['--ci'])
})
afterAll(() => project?.remove())

/** The text of the last update in a golden. */
function said(name: string): unknown {
  const text = project.fixtures()[`${name}/stdout.golden.jsonl`] ?? ''
  return JSON.parse(text.split('\n').at(-3) ?? '{}').params?.update?.content.text
}

/** What Jest printed for a scenario that failed. */
function failure(name: string): string {
  return again.output.split(/^ {2}● /m).find((text) => text.startsWith(`${name}\n`)) ?? ''
}

test('the next run produces equal goldens, except for the three wrong ones', () => {
  expect(first.output).toMatch(/^Tests: {7}3 failed, 6 passed, 9 total$/m)
  expect(again.output).toMatch(/^Tests: {7}3 failed, 6 passed, 9 total$/m)
})

test("the agent's own version becomes a token if the options say so", () => {
  const [initialized = '{}'] = (project.fixtures()['version/stdout.golden.jsonl'] ?? '').split('\n')
  expect(JSON.parse(initialized).result.agentInfo).toEqual({ name: 'puppet', version: '{{agentVersion}}' })
})

test('a rule that the options add applies in every worker', () => {
  expect(said('built')).toBe('{{build}}, not data')
})

test('a rule that replaced nothing in a complete run is reported', () => {
  expect(first.output).toContain(
    'testEnvironmentOptions.acp.normalize: replaced nothing in 9 scenarios: add "never", unordered "plan". Correct the rule, or remove it',
  )
})

test('a path in "dataPaths" is kept, and gets a token for its random part if it is not listed', () => {
  expect(said('data')).toBe('in /tmp/foo-a1B2c3/x')
  expect(said('random')).toBe('in /tmp/foo-{{tempName}}/x')
})

test('a random name in a temp directory becomes a token', () => {
  expect(said('shot')).toBe('wrote /tmp/shot_{{tempName}}.jpg')
})

test("{{cwd}} in a step stands for the run's directory, and unknown tokens stay", () => {
  expect(said('place')).toBe('in {{cwd}}/a, {{other}}')
})

test.each(['extra', 'missing'])('a trailing frame is explained, and -u is not recommended: %s', (name) => {
  expect(failure(name)).toContain(
    'This frame comes after the last response, so the run cannot know how long to wait for it',
  )
  expect(failure(name)).not.toContain('If this is wanted')
  expect(failure('changed')).toContain('If this is wanted: npx jest __fixtures__/changed/ -u')
})
