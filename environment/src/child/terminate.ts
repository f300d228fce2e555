import { settlesWithin, withDeadline } from './deadline.ts'
import type { AgentProcess, Exit } from './process.ts'

/** The result of a shutdown. `forced` is the signal that ended the agent, if it needed one. */
interface Shutdown {
  exit: Exit
  forced: false | 'SIGTERM' | 'SIGKILL'
}

/** No process can refuse SIGKILL, but a system call may delay it. */
const KILL_MS = 5000

/**
 * Ends the agent: closes its stdin, then sends SIGTERM to its group, then SIGKILL, and waits `graceMs` after each of the
 * first two. However the agent exits, the rest of its group is killed.
 *
 * @param options.termAtOnce sends SIGTERM together with the end of stdin
 * @throws Error when even SIGKILL does not end it within 5 seconds; the reaper still holds the group
 */
export async function shutdown(
  agent: AgentProcess,
  { graceMs, termAtOnce = false }: { graceMs: number; termAtOnce?: boolean },
): Promise<Shutdown> {
  agent.closeStdin()
  if (!termAtOnce && (await leaves(agent, graceMs))) return { exit: await agent.exited, forced: false }
  agent.signal('SIGTERM')
  if (await leaves(agent, graceMs)) return { exit: await agent.exited, forced: 'SIGTERM' }
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
