import { settlesWithin, withDeadline } from './deadline.ts'
import type { AgentProcess, Exit } from './process.ts'

/** The result of a shutdown. `forced` is the signal that ended the agent, if it needed one. */
interface Shutdown {
  exit: Exit
  forced: false | 'SIGTERM' | 'SIGKILL'
}

/** No process can refuse SIGKILL, but a system call may delay it. */
const KILL_MS = 5000

/** How an agent is asked to exit: by the end of its stdin, or by SIGTERM together with it. */
export type ExitRequest = 'eof' | 'sigterm'

/**
 * Ends the agent: closes its stdin, then sends SIGTERM to its group, then SIGKILL, and waits `graceMs` after each of the
 * first two. However the agent exits, the rest of its group is killed.
 *
 * @param request `sigterm`: SIGTERM is sent with the end of stdin, and does not count as force
 * @throws Error when even SIGKILL does not end it within 5 seconds; the reaper still holds the group
 */
export async function shutdown(
  agent: AgentProcess,
  { graceMs, request = 'eof' }: { graceMs: number; request?: ExitRequest },
): Promise<Shutdown> {
  agent.closeStdin()
  if (request === 'sigterm') agent.signal('SIGTERM')
  if (await leaves(agent, graceMs)) return { exit: await agent.exited, forced: false }
  if (request === 'eof') {
    agent.signal('SIGTERM')
    if (await leaves(agent, graceMs)) return { exit: await agent.exited, forced: 'SIGTERM' }
  }
  kill(agent)
  const exit = await withDeadline(agent.exited, KILL_MS, `the agent (pid ${agent.pid}) to die of SIGKILL`)
  return { exit, forced: 'SIGKILL' }
}

/** Kills the agent and its whole group. `agent.exited` resolves when this is done. */
export function kill(agent: AgentProcess): void {
  agent.signal('SIGKILL')
}

async function leaves(agent: AgentProcess, ms: number): Promise<boolean> {
  return (await settlesWithin(agent.exited, ms)) || !agent.running
}
