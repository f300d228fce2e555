import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import type { Volatile } from 'jest-serializer-acp'
import type { Workplace } from '../child/index.ts'
import type { AcpOptions } from '../options.ts'
import { dataPathsOf } from '../scenario/data-paths.ts'
import type { ScenarioInput } from '../scenario/input/parse-input.ts'

/** The temp directories that have one name on every machine, and may stay visible. */
const SHARED_ROOTS = ['/tmp', '/var/tmp']

/** What a run is known to have made up: its own paths, and names in the temp directories of the host. */
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
