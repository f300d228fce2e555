import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { acpSnapshotLogs } from '../../src/logs/acp-snapshot.ts'
import { harvestLogs } from '../../src/logs/harvest-logs.ts'
import { orderLogs } from '../../src/logs/order-logs.ts'
import { failureOf, prompt, run, START, type Staged } from '../run/support.ts'

const options = { sessionLogs: true, env: { SESSIONS: '{{sessions}}' } }

async function idsOf(staged: Partial<Staged>): Promise<string[]> {
  const { logs } = await run({ agent: 'puppet', options, ...staged })
  return logs.map(({ log }) => log.id ?? '')
}

const child = (id: string, createdAt: number) =>
  `append $SESSIONS/${id}.jsonl ${JSON.stringify({ type: 'session', version: 0, id, createdAt, cwd: '/w' })}`

test('logs are collected from every directory: first the sessions of the script, then the others by creation time', async () => {
  const steps = [...START, prompt(child('z', 5), child('a', 7), child('b', 0)), { op: 'newSession', as: 'second' }]
  expect(await idsOf({ input: { steps } })).toEqual(['session-1', 'session-2', 'b', 'z', 'a'])
})

test('an agent without session logs has no logs in its run', async () => {
  expect(await idsOf({ options: { ...options, sessionLogs: false } })).toEqual([])
  expect(await idsOf({ options: { sessionLogs: true } })).toEqual([])
})

test('other files in the sessions root are not logs', async () => {
  expect(await idsOf({ steps: [prompt('append $SESSIONS/index.json {')] })).toEqual(['session-1'])
})

test('a broken log fails the run, and the error names its file and line', async () => {
  const steps = [prompt('append $SESSIONS/logs/session-1.jsonl {"type":"turn/start","seq":4,"time":0,"data":{}}')]
  expect(await failureOf({ agent: 'puppet', options, steps })).toMatch(
    /^scenario x, the session logs: expected session logs that can be read\n {2}got {6}logs\/session-1\.jsonl:2: expected seq 0, got 4\n\nThe last of 3 frames:\n/,
  )
})

test('a log whose messages change when it is printed and parsed again fails the run', async () => {
  // A number that does not fit into a double is printed as null.
  const content = '[{"type":"text","text":"a","n":1e999}]'
  const event = `{"type":"user/message","seq":0,"time":0,"surfaceOp":"append","data":{"source":{"kind":"user"},"content":${content}}}`
  const steps = [prompt(`append $SESSIONS/logs/session-1.jsonl ${event}`)]
  expect(await failureOf({ agent: 'puppet', options, steps })).toMatch(
    /^scenario x, the session logs: expected session 0 to derive the same history once its log is read again\n {2}got {6}messages/,
  )
})

describe('logs that were created in the same millisecond', () => {
  const logOf = (id: string, more: object = {}, says = '') => {
    const header = { type: 'session', version: 0, id, createdAt: 5, ...more }
    const event = { type: 'x', seq: 0, time: 5, data: { says } }
    const text = `${JSON.stringify(header)}\n${JSON.stringify(event)}\n`
    return { text, log: acpSnapshotLogs.parse(text) }
  }
  const hints = (frames: string[] = []) => ({ sessionIds: ['script-session'], frames, volatile: {} })

  /** The ordered ids. The order must not depend on the order in which the files are listed. */
  function order(logs: ReturnType<typeof logOf>[], frames?: string[]): string[] {
    const orders = new Set<string>()
    for (const listed of [logs, logs.toReversed()]) {
      orders.add(
        orderLogs(listed, acpSnapshotLogs, hints(frames))
          .map(({ log }) => log.id)
          .join(' '),
      )
    }
    expect(orders.size).toBe(1)
    return [...orders].join('').split(' ')
  }

  test('are ordered by the first appearance of their ids on stdout', () => {
    const frames = ['{"sessionId":"session-b"}', '{"sessionId":"session-a"}']
    expect(order([logOf('session-a'), logOf('session-b')], frames)).toEqual(['session-b', 'session-a'])
  })

  test("are ordered as their parent's log names them, after the parent", () => {
    const parent = logOf('session-z', {}, 'made session-b and session-a')
    const child = (id: string) => logOf(id, { parentSession: 'session-z' })
    expect(order([child('session-a'), child('session-b'), parent])).toEqual(['session-z', 'session-b', 'session-a'])
  })

  test('are ordered by their parents, and follow them', () => {
    const logs = [
      logOf('session-a', { parentSession: 'session-z' }),
      logOf('session-b', { parentSession: 'script-session' }),
      logOf('session-z', { parentSession: 'script-session' }, 'z'),
      logOf('script-session'),
    ]
    expect(order(logs)).toEqual(['script-session', 'session-b', 'session-z', 'session-a'])
  })

  test('are ordered by their parents first, then by stdout; sessions of the script are in the order of creation', () => {
    const logs = [
      logOf('session-a', { parentSession: 'script-2' }),
      logOf('session-b', { parentSession: 'script-1' }),
      logOf('script-2'),
      logOf('script-1'),
    ]
    const frames = ['"session-a"', '"session-b"']
    const ordered = orderLogs(logs, acpSnapshotLogs, { sessionIds: ['script-1', 'script-2'], frames, volatile: {} })
    expect(ordered.map(({ log }) => log.id)).toEqual(['script-1', 'script-2', 'session-b', 'session-a'])
  })

  test('are ordered by a short id only where it is a whole string', () => {
    const frames = ['{"text":"as b says"}', '{"sessionId":"as"}', '{"sessionId":"b"}']
    expect(order([logOf('b'), logOf('as')], frames)).toEqual(['as', 'b'])
  })

  test('are all kept, even if they are their own ancestors', () => {
    const logs = [
      logOf('session-a', { parentSession: 'session-b' }),
      logOf('session-b', { parentSession: 'session-a' }),
    ]
    expect(orderLogs(logs, acpSnapshotLogs, hints())).toHaveLength(2)
  })

  test('are ordered by their content, not by their random ids', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 3, maxLength: 3 }), (ids) => {
        const logs = ids.map((id, i) => logOf(id, {}, ['Say A', 'Say B', 'Say C'][i]))
        expect(order(logs)).toEqual(ids)
      }),
    )
  })
})

describe('in the sessions root,', () => {
  let root: string
  const header = `${JSON.stringify({ type: 'session', version: 0, id: 'a', createdAt: 1 })}\n`
  const harvest = () => harvestLogs(root, acpSnapshotLogs, { sessionIds: [], frames: [], volatile: {} })
  const problem = (got: string) => `expected session logs that can be read\n  got      ${got}`

  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'logs-')))
    fs.mkdirSync(join(root, 'logs'))
  })
  afterEach(() => fs.rmSync(root, { recursive: true }))

  test('a FIFO is refused', () => {
    execFileSync('mkfifo', [join(root, 'logs', 'a.jsonl')])
    expect(harvest).toThrow(problem('logs/a.jsonl is a FIFO, not a regular file'))
  })

  test('a link to a device is refused', () => {
    fs.symlinkSync('/dev/zero', join(root, 'logs', 'a.jsonl'))
    expect(harvest).toThrow(problem('logs/a.jsonl leads out of the sessions root'))
  })

  test('a link to a file outside is refused, and no content of that file is quoted', () => {
    fs.symlinkSync('/etc/passwd', join(root, 'a.jsonl'))
    expect(harvest).toThrow(new Error(problem('a.jsonl leads out of the sessions root')))
  })

  test('a link to itself is refused', () => {
    fs.symlinkSync('a.jsonl', join(root, 'a.jsonl'))
    expect(harvest).toThrow(problem('a.jsonl is a symbolic link that leads back to itself'))
  })

  test('a file that is too long is refused', () => {
    fs.writeFileSync(join(root, 'a.jsonl'), '')
    fs.truncateSync(join(root, 'a.jsonl'), 3 * 1024 ** 3)
    expect(harvest).toThrow(
      problem('a.jsonl is too long: it has 3221225472 bytes, and at most 268435456 bytes are read'),
    )
  })

  test('links to directories are not followed', () => {
    fs.writeFileSync(join(root, 'logs', 'a.jsonl'), header)
    fs.symlinkSync('..', join(root, 'logs', 'up'))
    fs.symlinkSync('/etc', join(root, 'etc'))
    fs.mkdirSync(join(root, 'dir.jsonl'))
    expect(harvest().map(({ text }) => text)).toEqual([header])
  })

  test('a link that replaces the sessions root itself is refused', () => {
    fs.renameSync(join(root, 'logs'), join(root, 'elsewhere'))
    fs.symlinkSync('elsewhere', join(root, 'logs'))
    expect(() =>
      harvestLogs(join(root, 'logs'), acpSnapshotLogs, { sessionIds: [], frames: [], volatile: {} }),
    ).toThrow(problem('no directory where the sessions root was'))
    fs.rmSync(join(root, 'logs'))
    fs.renameSync(join(root, 'elsewhere'), join(root, 'logs'))
  })

  // Even root cannot list this directory, because its path is too long.
  test('a directory that cannot be listed is an error', () => {
    const name = 'd'.repeat(250)
    const nest = 'for (let i = 0; i < 20; i++) { fs.mkdirSync(process.argv[1]); process.chdir(process.argv[1]) }'
    execFileSync(process.execPath, ['-e', nest, name], { cwd: join(root, 'logs') })
    expect(harvest).toThrow(/got {6}logs\/d+\/.* cannot be listed: ENAMETOOLONG$/)
    execFileSync('rm', ['-rf', join(root, 'logs', name)])
  })
})

test('a log that is a link out of the sessions root fails the scenario, and its target is not shown', async () => {
  const steps = [prompt('link /etc/passwd $SESSIONS/other.jsonl')]
  const failure = await failureOf({ agent: 'puppet', options, steps })
  expect(failure).toMatch(
    /^scenario x, the session logs: expected session logs that can be read\n {2}got {6}other\.jsonl leads out of the sessions root\n/,
  )
  expect(failure).not.toContain('root:')
})
