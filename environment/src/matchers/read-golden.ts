import { join } from 'node:path'
import { readRegularText } from '../io/regular-file.ts'
import { GOLDEN } from '../scenario/files.ts'

/** A longer golden is no transcript that anybody reads. */
const LONGEST_GOLDEN = 64 * 1024 * 1024

/**
 * The text of a scenario's golden; `undefined` when there is none.
 *
 * @throws FileRefusedError for what is no regular file, or leads out of the scenario's directory
 */
export function readGolden(dir: string): string | undefined {
  return readRegularText(join(dir, GOLDEN), { maxBytes: LONGEST_GOLDEN, within: dir })
}
