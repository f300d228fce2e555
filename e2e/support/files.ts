import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The text of every file below a directory, by its relative path, with `/`. */
export function readTree(dir: string): Record<string, string> {
  const files = readdirSync(dir, { withFileTypes: true, recursive: true }).filter((entry) => !entry.isDirectory())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(paths.map((path) => [toName(dir, path), readFileSync(path, 'utf8')]))
}

/** Replaces a directory with a copy of another one. */
export function copyTree(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
}

/** The names of the files that differ between two trees. */
export function changedFiles(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => before[name] !== after[name]).sort()
}

function toName(dir: string, path: string): string {
  return relative(dir, path).replaceAll('\\', '/')
}
