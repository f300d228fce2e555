import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logFile } from '@acp-snapshot/session-persistence-jsonl/store'
import { childEnv, createWorkplace, type Frame, type Workplace, withDeadline } from 'jest-environment-acp/child'
import { Connection } from 'jest-environment-acp/client'
import { launchOf } from 'jest-environment-acp/run'
import { agentOptions } from './example-agent.ts'
import type { RecordedLog } from './recordings.ts'

/** The result of `session/load`. */
interface Loaded {
  /** The frames that the agent sent after the request, including the response, in order. */
  frames: Frame['value'][]
  /** The files in the sessions root after the agent has exited: text by name. */
  sessions: Record<string, string>
}

/** Loads a log in a fresh process of our agent. @param id the session of the log */
export async function load(log: RecordedLog, id: string): Promise<Loaded> {
  const workplace = createWorkplace()
  try {
    writeFileSync(logFile(workplace.sessions, id), log.text)
    const frames = await ask(log, workplace, [
      ['initialize', { protocolVersion: 1, clientCapabilities: {} }],
      ['session/load', { sessionId: id, cwd: workplace.cwd, mcpServers: [] }],
    ])
    return { frames, sessions: readFiles(workplace.sessions) }
  } finally {
    workplace.remove()
  }
}

/** Starts the agent, sends the requests one after another, and ends it. Returns the frames since the last request. */
async function ask(
  { dir }: RecordedLog,
  workplace: Workplace,
  requests: [string, object][],
): Promise<Frame['value'][]> {
  const { cwd, home, sessions, tmp, report } = workplace
  const places = { cwd, home, sessions, tmp, report, fixture: dir }
  const launch = launchOf(agentOptions, { config: undefined, live: false, places })
  const { stepMs, exitMs } = agentOptions.deadlines
  let id = 0
  let frames: Frame['value'][] = []
  const connection = await Connection.open({
    launch: { ...launch, env: childEnv(launch.env, workplace) },
    cwd,
    answer: () => ({ error: { code: -32601, message: 'Method not found' } }),
    nextId: () => ++id,
    onFrame: ({ value }) => void frames.push(value),
  })
  try {
    for (const [method, params] of requests) {
      frames = []
      await withDeadline(Promise.race([connection.peer.request(method, params), connection.broken]), stepMs, method)
    }
    await connection.close(exitMs)
    return frames
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${connection.stderr}`, { cause: error })
  } finally {
    await connection.kill()
  }
}

function readFiles(dir: string): Record<string, string> {
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')]))
}
