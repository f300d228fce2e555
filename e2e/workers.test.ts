import { ProjectCopy } from './support/project-copy.ts'
import { expectGreen, snapshot, TWO_WORKERS } from './support/snapshot-run.ts'

jest.setTimeout(600_000)

const project = new ProjectCopy()
afterAll(() => project.remove())

test.each([
  ['with a memory limit', [...TWO_WORKERS]],
  ['on the first run after a clone', ['-w', '2', '--no-cache']],
])('two workers end by themselves, %s', async (_, args) => {
  const run = await project.jest([...snapshot('text-turn', 'unicode', 'handshake', 'multi-turn'), '--ci', ...args])
  expectGreen(run)
  expect(run.output).not.toContain('failed to exit gracefully')
})
