import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import type { Volatile } from 'jest-serializer-acp'
import type { Workplace } from '../child/index.ts'
import type { AcpOptions } from '../options.ts'
import { dataPathsOf } from '../scenario/data-paths.ts'
import type { ScenarioInput } from '../scenario/input/parse-input.ts'

/** Temp directories with the same path on every machine: they need no token. */
const SHARED_ROOTS = ['/tmp', '/var/tmp']

/** The values of a run that change every time: its own paths, temp directories of the host, and its ids. */
export function volatileOf(
  workplace: Workplace,
  input: ScenarioInput,
  { normalize }: AcpOptions,
  { requestIds, sessionIds }: { requestIds: readonly number[]; sessionIds: readonly string[] },
): Volatile {
  const own = [...new Set([tmpdir(), fs.realpathSync.native(tmpdir())])].filter((root) => !isShared(root))
  return {
    paths: { ...workplace.paths(), ...(own.length > 0 && { hostTmp: own }) },
    tempRoots: [...SHARED_ROOTS, ...own],
    dataPaths: dataPathsOf(input),
    agentVersion: normalize.agentVersion,
    requestIds,
    sessionIds,
  }
}

function isShared(root: string): boolean {
  return SHARED_ROOTS.includes(root.replace(/^\/private(?=\/)/, ''))
}
