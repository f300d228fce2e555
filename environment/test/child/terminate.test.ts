import { kill, shutdown } from '../../src/child/terminate.ts'
import { clearUp, drive, isAlive, pidsOf, until } from './drive.ts'

const GRACE = { graceMs: 10_000 }

// Longer than the waits in the tests, so that these report the failure.

afterEach(clearUp)

test('an agent that exits at the end of stdin needs no signal', async () => {
  const { agent, request } = await drive('echo')
  await request('initialize')
  await expect(shutdown(agent, GRACE)).resolves.toEqual({ exit: { code: 0, signal: null }, forced: false })
})

test('SIGTERM ends an agent that ignores the end of stdin', async () => {
  const { agent } = await drive('silent')
  await expect(shutdown(agent, { graceMs: 200 })).resolves.toEqual({
    exit: { code: null, signal: 'SIGTERM' },
    forced: 'SIGTERM',
  })
})

test('SIGKILL ends an agent that ignores SIGTERM, and its child', async () => {
  const driven = await drive('stubborn')
  const pids = await pidsOf(driven)
  await expect(shutdown(driven.agent, { graceMs: 50 })).resolves.toEqual({
    exit: { code: null, signal: 'SIGKILL' },
    forced: 'SIGKILL',
  })
  await until(() => !pids.some(isAlive), 'both are dead')
})

test('shutting down an agent that has exited needs no signal', async () => {
  const { agent } = await drive('dies')
  agent.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
  await agent.exited
  await expect(shutdown(agent, GRACE)).resolves.toEqual({ exit: { code: 3, signal: null }, forced: false })
})

test('an agent that exits in time needs no signal, even if its child holds the pipe', async () => {
  const driven = await drive('grandchild-keeps-pipe')
  await pidsOf(driven)
  const exit = new Promise<void>((resolve) => {
    const look = () => (driven.agent.running ? setImmediate(look) : resolve())
    look()
  })
  driven.agent.closeStdin()
  await exit
  await expect(shutdown(driven.agent, { graceMs: 1 })).resolves.toMatchObject({ forced: false })
})

test('shutting down twice is the same as once', async () => {
  const { agent } = await drive('echo')
  const [first, second] = await Promise.all([shutdown(agent, GRACE), shutdown(agent, GRACE)])
  expect(second).toEqual(first)
})

test('kill ends the agent and its child at once', async () => {
  const driven = await drive('stubborn')
  const pids = await pidsOf(driven)
  kill(driven.agent)
  await expect(driven.agent.exited).resolves.toEqual({ code: null, signal: 'SIGKILL' })
  await until(() => !pids.some(isAlive), 'both are dead')
})

test('a stopped agent ends too', async () => {
  const { agent, request } = await drive('echo')
  await request('initialize')
  agent.signal('SIGSTOP')
  await expect(shutdown(agent, { graceMs: 50 })).resolves.toMatchObject({ forced: 'SIGKILL' })
})
