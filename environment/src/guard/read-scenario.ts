import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseJsonText } from '@acp-snapshot/json-text'
import { jestCommand } from '../command/hint.ts'
import { FixtureError } from '../scenario/fault.ts'
import { HOME, INPUT, WORKSPACE } from '../scenario/files.ts'
import { parseInput, type ScenarioInput } from '../scenario/input/parse-input.ts'
import { displayName, readFixtureFiles, readFixtureText } from '../scenario/read-files.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { InspectedScenario } from '../surfaces/surface.ts'
import { guardScenario } from './guard-fixtures.ts'
import type { GuardOptions } from './guard-options.ts'

/**
 * Reads and checks one scenario. Its siblings are read only to find the pin of its header class.
 *
 * @param dir the scenario's directory
 * @throws FixtureError that lists every fault the guard finds
 */
export function readScenario(dir: string, options: GuardOptions = {}): Scenario {
  const path = resolve(dir)
  const root = dirname(path)
  const name = basename(path)
  const read = { name, ...readFixtureFiles(path) }
  const siblings = readSiblings(root, name)
  const { faults, input, isRecorded } = guardScenario(displayName(root, process.cwd()), read, siblings, options)
  if (faults.length > 0 || !input) throw new FixtureError(faults)

  const members = [{ name, input }, ...siblings].filter((other) => other.input?.headerClass === input.headerClass)
  const pin = members.find((member) => member.input?.pinsHeader)
  const has = (seed: string) => [...read.files.keys()].some((file) => file.startsWith(`${seed}/`))
  return {
    name,
    dir: path,
    input,
    files: read.files,
    isRecorded,
    command: options.command ?? jestCommand(),
    ...(has(WORKSPACE) && { workspace: join(path, WORKSPACE) }),
    ...(has(HOME) && { home: join(path, HOME) }),
    ...(pin && { pin: { class: input.headerClass, dir: join(root, pin.name) } }),
  }
}

/** Whether a scenario's `input.json` is valid JSON. Jest itself parses the file before the test runs. */
export function canBeParsed(dir: string): boolean {
  const text = readFixtureText(join(dir, INPUT))
  return text !== undefined && 'value' in parseJsonText(text.replace(/^\uFEFF/, ''))
}

/**
 * The other scenarios. Their `input.json` is parsed only when it mentions a pin, because each scenario reads all the
 * others; a broken one is ignored, because its own test reports the fault.
 */
export function readSiblings(root: string, name: string): InspectedScenario[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== name)
    .map((entry) => ({ name: entry.name, input: readInput(join(root, entry.name, INPUT)), callsModel: false }))
}

function readInput(path: string): ScenarioInput | undefined {
  const text = readFixtureText(path)
  if (!text?.includes('pinsHeader')) return undefined
  try {
    return parseInput(text, path)
  } catch (error) {
    if (error instanceof FixtureError) return undefined
    throw error
  }
}
