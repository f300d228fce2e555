import { says } from '@acp-snapshot/testing/answers'
import { clearUp, startAgent } from '@acp-snapshot/testing/start-agent'
import { expectBalanced } from './expect-balanced.ts'

afterEach(clearUp)

const posix = process.platform === 'win32' ? describe.skip : describe

posix('a full disk', () => {
  // A file size limit fails a write half-way, like a full disk.
  const limited = (kib: number) => ['bash', '-c', `ulimit -f ${kib}; exec "$0" "$@"`] as [string, ...string[]]
  const TOO_LARGE = { error: { code: -32603, message: 'Internal error: EFBIG: file too large, write' } }

  test('fails the prompt with the reason, and the session continues after a reload', async () => {
    const agent = await startAgent({ replay: [says('OK')], through: limited(16) })
    await agent.initialize()
    const id = await agent.newSession()
    await expect(agent.prompt(id, 'x'.repeat(20_000))).resolves.toMatchObject(TOO_LARGE)
    await expect(agent.prompt(id, 'Again.')).resolves.toMatchObject({ error: { code: -32002 } })
    await expect(agent.load(id)).resolves.toEqual({ result: {} })
    expect(agent.logged(id, 'turn/end')).toEqual([{ turn: 1, reason: { kind: 'interrupted' } }])
    await expect(agent.prompt(id, 'Say OK.')).resolves.toEqual({ result: { stopReason: 'end_turn' } })
    expectBalanced(agent.log(id))
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
  })

  test('without any space left fails the load too, and releases the log for the next agent', async () => {
    const agent = await startAgent({ replay: [says('y'.repeat(9_000))], through: limited(16) })
    await agent.initialize()
    const id = await agent.newSession()
    await expect(agent.prompt(id, 'Speak.')).resolves.toMatchObject(TOO_LARGE)
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
    const next = await startAgent({ place: agent.place })
    await next.initialize()
    await expect(next.load(id)).resolves.toEqual({ result: {} })
    expectBalanced(next.log(id))
  })
})
