import { untilGone } from '@acp-snapshot/testing/processes'
import { runProbe } from '@acp-snapshot/testing/run-probe'
import * as z from 'zod'

const pids = z.looseObject({ pid: z.number(), atExit: z.number() })

describe('the plugin shell-local', () => {
  const seen = runProbe(__dirname, 'plugin.probe.ts')

  test('ends a command at the limits of its config', () => {
    expect(seen).toMatchObject({ byConfig: { output: '1234', truncated: true, timedOut: true, timeoutMs: 200 } })
  })

  test('lets the caller set other limits', () => {
    expect(seen).toMatchObject({ byCaller: { output: '123456', truncated: true, timedOut: false } })
  })

  test('ends what runs before it is disposed', async () => {
    expect(seen).toMatchObject({ disposed: { output: 'begun\n', aborted: true, signal: 'SIGKILL' } })
    expect(seen).toMatchObject({ order: ['command ended', 'plugin disposed'] })
    await untilGone(pids.parse(seen).pid)
  })

  test('leaves nothing running when the process exits without disposing of it', async () => {
    expect(seen).toMatchObject({ alive: true })
    await untilGone(pids.parse(seen).atExit)
  })
})
