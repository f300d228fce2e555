import { readdirSync } from 'node:fs'

/** Every file below a directory, by its path with `/`, sorted. */
export function listFiles(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(dir.length + 1).replaceAll('\\', '/'))
    .sort()
}
