import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import type { ClientMessage, Volatile } from 'jest-serializer-acp'
import type { Workplace } from '../child/index.ts'
import type { AcpOptions } from '../options.ts'
import { dataPathsOf } from '../scenario/data-paths.ts'
import type { ScenarioInput } from '../scenario/input/parse-input.ts'

/** Temp directories with the same path on every machine: they need no token. */
const SHARED_ROOTS = ['/tmp', '/var/tmp']

/** What the client sent, the sessions it opened, and the ports it gave to the agent. */
interface SentInRun {
  requestIds: readonly number[]
  sessionIds: readonly string[]
  sent: readonly ClientMessage[]
  ports: readonly number[]
}

/** The values of a run that change every time: its own paths, temp directories of the host, and its ids. */
export function volatileOf(
  workplace: Workplace,
  input: ScenarioInput,
  { normalize }: AcpOptions,
  { requestIds, sessionIds, sent, ports }: SentInRun,
): Volatile {
  const own = [...new Set([tmpdir(), fs.realpathSync.native(tmpdir())])].filter((root) => !isShared(root))
  return {
    paths: { ...workplace.paths(), ...(own.length > 0 && { hostTmp: own }) },
    tempRoots: [...SHARED_ROOTS, ...own],
    dataPaths: dataPathsOf(input),
    rules: normalize,
    requestIds,
    sessionIds,
    ports,
    opened: sent.flatMap(openedAgain),
  }
}

/** The request, if it opens a session that exists: `session/load`, `session/resume`. */
function openedAgain({ id, method, sessionId }: ClientMessage) {
  const opens = method === 'session/load' || method === 'session/resume'
  return opens && id !== undefined && sessionId !== undefined ? [{ id, sessionId }] : []
}

function isShared(root: string): boolean {
  return SHARED_ROOTS.includes(root.replace(/^\/private(?=\/)/, ''))
}
