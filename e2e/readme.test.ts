import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { codeBlocks, onlyBlock } from '@acp-snapshot/testing/documentation'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { expectGreen, snapshot } from './support/snapshot-run.ts'

const ROOT = join(__dirname, '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

const project = new ProjectCopy({ transform: 'user' })
afterEach(() => project.restore())
afterAll(() => project.remove())

test('the failures in the README are real output', async () => {
  const [transcript, crash, ...more] = codeBlocks('README.md', '').map(({ code }) => code.trimEnd())
  expect(more).toEqual([])
  project.edit('packages/acp/src/projection.ts', "'agent_message_chunk'", "'agent_message_chunks'")
  const red = await project.jest([...snapshot('text-turn'), '--ci'])
  expect(withoutBlankLines(red.output)).toContain(withoutBlankLines(transcript))
  project.restore()

  project.rewrite('packages/acp/src/index.ts', (text) => `${text}\nexport default apply\n`)
  const { output } = await project.jest([...snapshot('handshake'), '--ci'])
  const shown = output.replace(/\S*\/(?=cordis\.snapshot\.yml)/, '…/')
  expect(withoutBlankLines(shown.replace(/^ {4}ScenarioError: /m, '    '))).toContain(withoutBlankLines(crash))
})

test('an old build in dist/ is not used', async () => {
  const built = join(project.dir, 'dist', 'environment')
  mkdirSync(built, { recursive: true })
  writeFileSync(join(built, 'package.json'), '{"name":"jest-environment-acp","main":"index.js"}')
  writeFileSync(join(built, 'index.js'), "throw new Error('an old build')")
  const run = await project.jest([...snapshot('handshake'), '--ci'])
  rmSync(join(project.dir, 'dist'), { recursive: true })
  expectGreen(run)
  expect(run.output).not.toContain('naming collision')
})

test('the config, scenario and commands of the README work together', async () => {
  const { code: config } = onlyBlock('README.md', 'js')
  const { code: input } = onlyBlock('README.md', 'json')
  rmSync(join(project.dir, 'jest.config.ts'))
  // In the repository, the packages are TypeScript.
  const transform = "transform: { '\\\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.jest.json' }] },"
  writeFileSync(
    join(project.dir, 'jest.config.mjs'),
    config.replace('preset:', () => `${transform}\n  preset:`),
  )
  mkdirSync(join(project.dir, 'lib'))
  copyFileSync(agentFile('lib/acp'), join(project.dir, 'lib', 'acp.mjs'))
  copyFileSync(agentFile('puppet'), join(project.dir, 'agent.mjs'))
  rmSync(project.fixtures, { recursive: true })
  const scenario = join(project.fixtures, 'pong')
  mkdirSync(scenario, { recursive: true })
  writeFileSync(join(scenario, 'input.json'), input.replace('Reply with PONG.', 'say PONG'))

  for (const command of ['npx jest --selectProjects snapshot', 'npx jest __fixtures__/pong/ -u']) {
    expectGreen(await project.jest(command.split(' ').slice(2)))
  }
  expect(readFileSync(join(scenario, 'stdout.golden.jsonl'), 'utf8')).toContain('PONG')
  const [first = ''] = [...README.matchAll(/^\| `npx (jest --selectProjects snapshot)` \|/gm)].map(
    ([, args = '']) => args,
  )
  const run = await project.jest([...first.split(' ').slice(1), '--ci'])
  expectGreen(run)
  expect(run.output).toContain('PASS snapshot __fixtures__/pong/input.json')
})

function withoutBlankLines(text = ''): string {
  return text.replace(/\n\s*\n/g, '\n')
}
