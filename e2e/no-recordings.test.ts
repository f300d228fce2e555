import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'

const copy = new ProjectCopy()
afterAll(() => copy.remove())

test('without the recordings beside the checkout, each test file of the corpus is one skipped test', async () => {
  cpSync(join(__dirname, '..', 'corpus'), join(copy.dir, 'corpus'), { recursive: true })
  expect(existsSync(join(copy.dir, '..', 'shared'))).toBe(false)
  const { status, output } = await copy.jest(['--selectProjects', 'corpus', '--ci', '-i'])
  expect([status, output]).toEqual([0, expect.stringMatching(/^Tests: {7}4 skipped, 4 total$/m)])
})
