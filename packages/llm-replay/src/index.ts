import type {} from '@acp-snapshot/agent'
import type {} from '@acp-snapshot/llm'
import type { Context } from 'cordis'
import * as z from 'zod'
import { Replay } from './replay.ts'
import { ReplayReport } from './report-file.ts'
import { readScripts } from './scripts.ts'

export { deriveReplayScript } from '@acp-snapshot/session'

export const name = 'llm-replay'
export const inject = ['llm']

/** `fixture`: the scenario's directory. `report`: the file in which the environment reads what was served. */
export const Config = z.strictObject({ fixture: z.string().min(1), report: z.string().min(1) })

/** Answers every model call from a recording. It never calls `next()`, so no other adapter receives a call. */
export function apply(ctx: Context, { fixture, report }: z.infer<typeof Config>): void {
  const replay = new Replay(readScripts(fixture), new ReplayReport(report))
  ctx.on('session/opened', (session) => replay.open(session))
  ctx.on('llm/stream', (request) => replay.stream(request))
}
