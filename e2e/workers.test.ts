import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { expectGreen, snapshot, TWO_WORKERS } from './support/snapshot-run.ts'

const project = new ProjectCopy()
afterAll(() => project.remove())

test.each([
  ['with a memory limit', [...TWO_WORKERS]],
  ['on the first run after a clone', ['-w', '2', '--no-cache']],
])('two workers exit by themselves, %s', async (_, args) => {
  const run = await project.jest([...snapshot('text-turn', 'unicode', 'handshake', 'multi-turn'), '--ci', ...args])
  expectGreen(run)
  expect(run.output).not.toContain('failed to exit gracefully')
})

test('an idle worker exits at once, without freeing its heap', async () => {
  const exits = join(project.tmp, '..', 'exits')
  const probe = join(project.tmp, '..', 'probe.cjs')
  // Only process.exit() calls reallyExit.
  writeFileSync(
    probe,
    `if (process.send) {
      const { reallyExit } = process
      process.reallyExit = (code) => {
        require('node:fs').appendFileSync(${JSON.stringify(exits)}, 'exit ' + code + '\\n')
        reallyExit.call(process, code)
      }
    }`,
  )
  const run = await project.jest([...snapshot('text-turn', 'handshake'), '--ci', ...TWO_WORKERS], {
    NODE_OPTIONS: `--require ${probe}`,
  })
  expectGreen(run)
  expect(readFileSync(exits, 'utf8')).toBe('exit 0\n'.repeat(2))
})
