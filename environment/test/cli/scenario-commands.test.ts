import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { main } from '../../src/cli/main.ts'
import { Project } from '../matchers/project.ts'

const ROOT = join(__dirname, '..', '..', '..')
const STEPS = [{ op: 'initialize' }, { op: 'newSession' }]
const prompt = (text: string) => JSON.stringify({ steps: [...STEPS, { op: 'prompt', text }] })

async function run(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const out: string[] = []
  const err: string[] = []
  const shell = { cwd, env, out: (line: string) => out.push(line), err: (line: string) => err.push(line) }
  return { code: await main(args, shell), out: out.join('\n'), err: err.join('\n') }
}

describe('explain and stable', () => {
  const project = new Project({
    same: { 'input.json': prompt('say hello') },
    differs: { 'input.json': prompt('say build-1a2b3c4d') },
    flaky: { 'input.json': JSON.stringify({ config: 'flaky', steps: [...STEPS, { op: 'prompt', text: 'go' }] }) },
    fails: { 'input.json': JSON.stringify({ config: 'dies', steps: STEPS }) },
  })

  beforeAll(() => {
    symlinkSync(join(ROOT, 'node_modules'), join(project.dir, 'node_modules'))
    project.configure({ normalize: { add: [{ name: 'build', match: 'build-[0-9a-f]{8}', token: 'build' }] } })
  })

  afterAll(() => project.remove())

  test('explain lists what a rule replaced, and where', async () => {
    const { code, out } = await run(project.dir, ['explain', 'differs'])
    expect(code).toBe(0)
    expect(out).toContain('build: 1 replacement\n  "build-1a2b3c4d" → "{{build}}": frame 3 /params/update/content/text')
    expect(out).toContain('session log 1, line 1 /createdAt')
  })

  test('explain names the rules of the project without effect', async () => {
    expect((await run(project.dir, ['explain', 'same'])).out).toContain('no effect in this scenario: build')
  })

  test('explain prints no value of a secret variable', async () => {
    const { out } = await run(project.dir, ['explain', 'differs'], { MY_TOKEN: 'build-1a2b3c4d' })
    expect(out).not.toContain('1a2b3c4d')
    expect(out).toContain('the value of MY_TOKEN')
  })

  test('stable succeeds when all runs are equal, by name and by path', async () => {
    for (const word of ['same', '__fixtures__/differs/'])
      expect(await run(project.dir, ['stable', word])).toEqual({ code: 0, out: 'the runs are equal', err: '' })
  })

  test('stable proposes a rule for a difference, and its rule makes the runs equal', async () => {
    const { code, out } = await run(project.dir, ['stable', 'flaky', '--runs', '4'])
    expect(code).toBe(1)
    expect(out).toMatch(/"start \d+" \| "start \d+" \| "start \d+" \| "start \d+"/)
    const normalize: unknown = new Function(`return { ${out.slice(out.indexOf('normalize: {'))} }.normalize`)()
    project.configure({ normalize })
    expect(await run(project.dir, ['stable', 'flaky'])).toMatchObject({ code: 0, out: 'the runs are equal' })
  })

  test.each([
    [['explain', 'sane'], 2, 'there is no scenario "sane"; did you mean "same"?'],
    [['stable', 'same', '--runs', '1'], 2, 'It must be a number from 2 up.'],
    [['explain', 'fails'], 1, 'scenario fails, step 1 (initialize): the agent exited with code 3'],
  ])('%j is an error', async (args, code, problem) => {
    expect(await run(project.dir, args)).toEqual({ code, out: '', err: expect.stringContaining(problem) })
  })

  test('without a project of scenarios, they point to init', async () => {
    expect((await run(join(ROOT, 'packages/json-text'), ['explain', 'x'])).err).toContain('acp-snapshot init')
  })
})

describe('init', () => {
  let cwd: string

  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'acp-init-'))
    symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
  })

  afterEach(() => rmSync(cwd, { recursive: true }))

  test.each(['jest.config.mjs', 'jest.acp.config.mjs', '__fixtures__/handshake/input.json'])(
    'never overwrites %s',
    async (file) => {
      if (file !== 'jest.config.mjs') writeFileSync(join(cwd, 'package.json'), '{ "jest": {} }')
      const config = file === 'jest.config.mjs' ? 'jest.acp.config.mjs' : file
      for (const taken of new Set([file, config])) {
        mkdirSync(dirname(join(cwd, taken)), { recursive: true })
        writeFileSync(join(cwd, taken), 'mine')
      }
      const { code, err } = await run(cwd, ['init', '--', 'node', agentFile('echo')])
      expect({ code, err }).toEqual({
        code: 1,
        err: `acp-snapshot: already in the directory: ${config}. Nothing was written`,
      })
      expect(readFileSync(join(cwd, file), 'utf8')).toBe('mine')
    },
  )

  test('an agent that exits at once is an error with its stderr, and writes nothing', async () => {
    const { code, err } = await run(cwd, ['init', '--', 'node', agentFile('dies')])
    expect(code).toBe(1)
    expect(err).toContain('the agent exited with code 3')
    expect(err).toContain('| dies.mjs: out of luck')
    expect(existsSync(join(cwd, 'jest.config.mjs'))).toBe(false)
  })

  test.each(['{', 'null', '[]'])('a package.json that holds %s is an error, and nothing is written', async (text) => {
    writeFileSync(join(cwd, 'package.json'), text)
    const { code, err } = await run(cwd, ['init', '--', 'node', agentFile('echo')])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^acp-snapshot: package\.json /) })
    expect(existsSync(join(cwd, 'jest.config.mjs'))).toBe(false)
  })

  test('a config that appears while the agent runs is not overwritten', async () => {
    const config = join(cwd, 'jest.config.mjs')
    const { code, err } = await run(cwd, ['init', '--env', `BOOTED=${config}`, '--', 'node', agentFile('flaky')])
    expect({ code, err }).toEqual({ code: 1, err: 'acp-snapshot: already in the directory: jest.config.mjs' })
    expect(readFileSync(config, 'utf8')).toBe('booted\n')
  })

  test('a dangling link in the place of the config is an error, and nothing is written through it', async () => {
    symlinkSync('elsewhere.mjs', join(cwd, 'jest.config.mjs'))
    const { code, err } = await run(cwd, ['init', '--', 'node', agentFile('echo')])
    expect({ code, err }).toEqual({
      code: 1,
      err: 'acp-snapshot: already in the directory: jest.config.mjs. Nothing was written',
    })
    expect(existsSync(join(cwd, 'elsewhere.mjs'))).toBe(false)
  })

  test.each([
    [[], "missing required argument 'command'"],
    [['--env', 'A', '--', 'node'], '--env A: expected NAME=value'],
    [['--', 'no-such-agent'], 'cannot start the agent "no-such-agent"'],
  ])('init %j is an error', async (args, problem) => {
    expect((await run(cwd, ['init', ...args])).err).toContain(problem)
  })
})
