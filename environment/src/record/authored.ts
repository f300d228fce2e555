import { join } from 'node:path'
import { readRegularText } from '../io/regular-file.ts'
import { INPUT, LOG } from '../scenario/files.ts'
import { MAX_SCENARIO_BYTES } from '../scenario/read.ts'

/**
 * Whether a scenario is authored: its model script is an override, or it calls no model (its log is a header alone).
 * There is nothing to record of it. Says nothing of files that cannot be read: the fixture guard does.
 */
export function isAuthored(dir: string): boolean {
  return isOverridden(join(dir, INPUT)) || isHeaderOnly(join(dir, LOG))
}

function isOverridden(file: string): boolean {
  try {
    const input: unknown = JSON.parse(read(file))
    return typeof input === 'object' && input !== null && 'overridden' in input && input.overridden === true
  } catch {
    return false
  }
}

function isHeaderOnly(file: string): boolean {
  try {
    const log = read(file)
    return log !== '' && !log.trimEnd().includes('\n')
  } catch {
    return false
  }
}

function read(file: string): string {
  return readRegularText(file, { maxBytes: MAX_SCENARIO_BYTES }) ?? ''
}
