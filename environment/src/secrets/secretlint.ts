import { spawnSync } from 'node:child_process'
import * as z from 'zod'
import type { RuleFind } from './check-by-rules.ts'

/** Far more than any fixture needs, even on a busy machine: a megabyte takes 40 ms. */
const LONGEST_SEARCH_MS = 600_000

const MOST_OUTPUT = 256 * 1024 ** 2

const FINDS = z.array(
  z.object({ text: z.int(), start: z.int(), end: z.int(), rule: z.string() }).readonly(),
) satisfies z.ZodType<RuleFind[]>

/**
 * Searches texts with secretlint's rules, in a separate process. That takes a third of a second to start, so it is used
 * only for files about to be written, and by `npm run fixtures`.
 *
 * @param program the program that searches
 * @throws Error when the search did not finish
 */
export function searchWithSecretlint(
  texts: readonly string[],
  program: string = require.resolve('./secretlint-process.mjs'),
): RuleFind[] {
  const { status, signal, stdout, stderr, error } = spawnSync(process.execPath, [program], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
    timeout: LONGEST_SEARCH_MS,
    windowsHide: true,
  })
  if (error) throw new Error(`${NOT_SEARCHED}: ${error.message}`)
  if (status !== 0) throw new Error(`${NOT_SEARCHED}: ${stderr || `the process was killed by ${signal}`}`)
  return FINDS.parse(JSON.parse(stdout))
}

const NOT_SEARCHED = "the fixture could not be searched for secrets with secretlint's rules"
