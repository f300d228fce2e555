import type { Context } from 'cordis'
import * as z from 'zod'
import { streamDeepSeek } from './adapter.ts'

export const name = 'llm-deepseek'

export const inject = ['llm']

const keyProblem =
  'no usable API key: set DEEPSEEK_API_KEY to the key from https://platform.deepseek.com (printable ASCII, no spaces)'

export const Config = z.object({
  apiKey: z.string({ error: keyProblem }).regex(/^[\x21-\x7e]+$/, { error: keyProblem }),
  baseURL: z.url({ protocol: /^https?$/ }).default('https://api.deepseek.com'),
  /** How long the provider may stay silent, in ms. Node's `fetch` itself gives up after 300 s. */
  idleTimeoutMs: z.number().int().min(1).max(300_000).default(60_000),
})

export function apply(ctx: Context, config: z.output<typeof Config>): void {
  ctx.on('llm/stream', (request) => streamDeepSeek(config, request))
}
