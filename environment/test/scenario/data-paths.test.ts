import { dataPathsOf } from '../../src/scenario/data-paths.ts'

test('paths in steps and in dataPaths are data, except paths of a run', () => {
  const steps = [{ op: 'prompt' as const, text: 'Write /tmp/out.txt, and /tmp/acp-0123456789ab/cwd/a.' }]
  const dataPaths = ['/var/tmp/b', '/tmp/out.txt', '/private/tmp/acp-0123456789ab']
  expect(dataPathsOf({ steps, dataPaths })).toEqual(['/var/tmp/b', '/tmp/out.txt'])
})
