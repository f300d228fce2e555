import { join } from 'node:path'
import { until } from '../child/drive.ts'
import { golden, orders, Project, script } from './project.ts'

const SILENT = { 'input.json': script({ config: 'silent' }) }

/** Matches a line of a stack trace or of a code frame that names one of our source files. */
const OUR_CODE = /(?:environment|serializers)\/src\/[\w./-]+:\d+/

let project: Project

afterEach(async () => {
  // If Jest exits without waiting, the reaper cleans up.
  await until(() => JSON.stringify(project.leftovers()) === '{"directories":[],"processes":[]}', 'nothing is left')
  project.remove()
})

test('a test that times out is stopped, with its agent, before the next test begins', () => {
  project = new Project(
    { slow: SILENT, same: { 'input.json': orders() } },
    { setupFilesAfterEnv: ['<rootDir>/setup.cjs'] },
  )
  project.write('setup.cjs', 'test(acp.scenario, () => acp.run(), 1500); test("again", () => acp.run(), 1500)')
  const { exitCode, output } = project.jest(['--runInBand'])
  expect([exitCode, output]).toEqual([1, expect.stringContaining('Exceeded timeout of 1500 ms for a test.')])
  expect(output).toMatch(/^Tests: {7}2 failed, 2 passed, 4 total$/m)
  expect(output).not.toContain('is running already')
  expect(output).not.toMatch(OUR_CODE)
  expect(project.leftovers()).toEqual({ directories: [], processes: [] })
})

test('--bail leaves no directory and no process of the scenarios that still run', () => {
  const same = { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('goodbye') }
  project = new Project({ slow: SILENT, same })
  const { exitCode, output } = project.jest(['--bail', '--maxWorkers=2', '--ci'])
  expect([exitCode, output]).toEqual([1, expect.stringContaining('the transcript differs from stdout.golden.jsonl')])
})

test('two concurrent runs in one test are refused', () => {
  project = new Project({ twice: { 'input.json': orders() } }, { setupFilesAfterEnv: ['<rootDir>/setup.cjs'] })
  project.write('setup.cjs', 'test(acp.scenario, () => Promise.all([acp.run(), acp.run()]))')
  const { output } = project.jest([])
  expect(output).toContain('a scenario is running already: it cannot run twice at once (test.concurrent?)')
  expect(output).not.toMatch(OUR_CODE)
})

test('two concurrent runs in test.concurrent are refused', () => {
  project = new Project({ twice: { 'input.json': orders() } }, { setupFilesAfterEnv: ['<rootDir>/setup.cjs'] })
  project.write('setup.cjs', 'for (const name of ["one", "two"]) test.concurrent(name, () => acp.run())')
  const { output } = project.jest([])
  expect(output).toContain('a scenario is running already: it cannot run twice at once (test.concurrent?)')
  expect(output).not.toMatch(OUR_CODE)
})

test('a matcher that receives anything but a run says what it expects', () => {
  const matchers = ['toMatchSurface', 'toDraftFixture', 'toBecomeFixture']
  const setup = join(__dirname, '..', '..', 'src', 'setup.ts')
  project = new Project({ wrong: { 'input.json': orders() } }, { setupFilesAfterEnv: [setup, '<rootDir>/more.cjs'] })
  project.write('more.cjs', matchers.map((name) => `test('${name}', () => expect('text').${name}())`).join('\n'))
  const { output } = project.jest(['-t', 'to[A-Z]'])
  for (const name of matchers) expect(output).toContain(`${name} takes what acp.run() resolves with, got string`)
  expect(output).not.toMatch(OUR_CODE)
})
