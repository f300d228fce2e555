import { untilGone } from '@acp-snapshot/testing/processes'
import { runProbe } from '@acp-snapshot/testing/run-probe'
import * as z from 'zod'

const pids = z.looseObject({ pid: z.number(), atExit: z.number() })

describe('the plugin shell-local', () => {
  const seen = runProbe(__dirname, 'plugin.probe.ts')

  test('applies the limits of its config', () => {
    expect(seen).toMatchObject({ byConfig: { output: '1234', truncated: true, timedOut: true, timeoutMs: 200 } })
  })

  test('lets the caller override the limits', () => {
    expect(seen).toMatchObject({ byCaller: { output: '123456', truncated: true, timedOut: false } })
  })

  test('stops running commands before it is disposed', async () => {
    expect(seen).toMatchObject({ disposed: { output: 'begun\n', aborted: true, signal: 'SIGKILL' } })
    expect(seen).toMatchObject({ order: ['command ended', 'plugin disposed'] })
    await untilGone(pids.parse(seen).pid)
  })

  test('leaves no process when the agent exits without disposing of it', async () => {
    expect(seen).toMatchObject({ alive: true })
    await untilGone(pids.parse(seen).atExit)
  })
})
