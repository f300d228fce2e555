import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import type { Frame, Noise, Workplace } from '../../src/child/index.ts'
import { AgentProcess, childEnv, createWorkplace, withDeadline } from '../../src/child/index.ts'
import { kill } from '../../src/child/terminate.ts'

/** Far more than a busy machine needs. */
const WAIT_MS = 60_000

/** One of the agents of `testing` in a workplace of its own, and all that it wrote to stdout. */
interface Driven {
  agent: AgentProcess
  workplace: Workplace
  lines: (Frame | Noise)[]
  /** Sends a request, and waits for its answer's `result`. */
  request(method: string, params?: object): Promise<unknown>
}

const started: Pick<Driven, 'agent' | 'workplace'>[] = []

/** Starts one of the agents of `testing`. {@link clearUp} ends it. */
export async function drive(name: string): Promise<Driven> {
  return driveNode([agentFile(name)])
}

/** Starts Node with these arguments as the agent. */
export async function driveNode(args: string[]): Promise<Driven> {
  const workplace = createWorkplace()
  const lines: (Frame | Noise)[] = []
  const waiting = new Map<unknown, (result: unknown) => void>()
  const onLine = (line: Frame | Noise) => {
    lines.push(line)
    if (line.kind === 'frame' && 'id' in line.value) waiting.get(line.value.id)?.(line.value.result)
  }
  const env = childEnv({}, workplace)
  const agent = await AgentProcess.spawn({ command: process.execPath, args, cwd: workplace.cwd, env, onLine })
  started.push({ agent, workplace })
  let id = 0
  const request = (method: string, params: object = {}) => {
    const answer = new Promise((resolve) => waiting.set(++id, resolve))
    agent.send({ jsonrpc: '2.0', id, method, params })
    return withDeadline(answer, WAIT_MS, `the answer to ${method}`)
  }
  return { agent, workplace, lines, request }
}

/** Ends every agent that {@link drive} started, and removes its workplace. */
export async function clearUp(): Promise<void> {
  for (const { agent, workplace } of started.splice(0)) {
    kill(agent)
    await agent.exited
    workplace.remove()
  }
}

/** The pids that an agent gives in the answer to initialize: its own, and its child's. */
export async function pidsOf({ request }: Driven): Promise<[agent: number, child: number]> {
  const result = (await request('initialize')) as { _meta: { pids: [number, number] } }
  return result._meta.pids
}

/** Whether a process runs. A zombie, which only waits for its parent to notice, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The pids of this process's reapers: one while there is something to guard. Linux only. */
export function reapers(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.map(Number).filter((pid) => isAlive(pid) && commandOf(pid).includes('reaper-process.cjs'))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Looks every 20 ms until `condition` holds. @throws Error after a minute */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + WAIT_MS
  while (!condition()) {
    if (Date.now() > end) throw new Error(`timed out after ${WAIT_MS} ms waiting until ${what}`)
    await sleep(20)
  }
}
