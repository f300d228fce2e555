import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INPUT, LOG } from '../scenario/files.ts'

/**
 * Whether a scenario is authored: its model script is an override, or it calls no model (its log is a header alone).
 * There is nothing to record of it. Says nothing of files that cannot be read: the fixture guard does.
 */
export function isAuthored(dir: string): boolean {
  return isOverridden(join(dir, INPUT)) || isHeaderOnly(join(dir, LOG))
}

function isOverridden(file: string): boolean {
  try {
    const input: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof input === 'object' && input !== null && 'overridden' in input && input.overridden === true
  } catch {
    return false
  }
}

function isHeaderOnly(file: string): boolean {
  return existsSync(file) && !readFileSync(file, 'utf8').trimEnd().includes('\n')
}
