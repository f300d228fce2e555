import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GOLDEN } from '../scenario/files.ts'

/** The text of a scenario's golden; `undefined` when there is none. */
export function readGolden(dir: string): string | undefined {
  const file = join(dir, GOLDEN)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
