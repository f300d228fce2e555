import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { ReplayEntry } from '@acp-snapshot/session'
import { type JestCommand, jestCommand } from '../command.ts'
import { FixtureError } from './fault.ts'
import { INPUT, logName, roleOf, STAGING, WORKSPACE } from './files.ts'
import type { GuardOptions } from './guard/options.ts'
import type { ClassMember } from './guard/pins.ts'
import { guardScenario } from './guard.ts'
import { parseInput, type ScenarioInput } from './input.ts'
import { decode, type FileContent, type FixtureTree, textOf } from './tree.ts'

/** A scenario that the guard has let through. */
export interface Scenario {
  name: string
  /** The absolute path of its directory. */
  dir: string
  input: ScenarioInput
  /** The recorded logs, in the order of their sessions; empty when there is nothing recorded yet. */
  logs: { file: string; text: string }[]
  /** The model script of each session, by ordinal; empty when the run records. */
  scripts: ReplayEntry[][]
  /** The absolute path of what is copied into the run's directory, if there is something. */
  workspace?: string | undefined
  /** Who pins the header class, if somebody does: the absolute path of that scenario's directory, maybe this one's. */
  pin?: { class: string; dir: string } | undefined
  /** The commands that messages name. */
  command: JestCommand
}

/** Reads a whole fixtures directory. Its name in messages is relative to `cwd`. */
export function readFixtureTree(dir: string, cwd = process.cwd()): FixtureTree {
  const entries = readdirSync(dir, { withFileTypes: true }).filter(({ name }) => !name.startsWith(STAGING))
  return {
    root: displayName(dir, cwd),
    scenarios: entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => ({ name: entry.name, files: readFiles(join(dir, entry.name)) })),
    loose: entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name),
  }
}

/**
 * Reads one scenario, and of its siblings only what may pin the same header class.
 *
 * @param dir the scenario's directory
 * @throws FixtureError that lists every fault the guard finds
 */
export function readScenario(dir: string, options: GuardOptions = {}): Scenario {
  const path = resolve(dir)
  const root = dirname(path)
  const name = basename(path)
  const files = readFiles(path)
  const siblings = readSiblings(root, name)
  const { faults, input, scripts } = guardScenario(displayName(root, process.cwd()), { name, files }, siblings, options)
  if (faults.length > 0 || !input) throw new FixtureError(faults)

  const members = [{ name, input }, ...siblings].filter((other) => other.input?.headerClass === input.headerClass)
  const pin = members.find((member) => member.input?.pinsHeader)
  return {
    name,
    dir: path,
    input,
    logs: logsOf(files),
    scripts,
    command: options.command ?? jestCommand(),
    ...([...files.keys()].some((file) => roleOf(file) === 'workspace') && { workspace: join(path, WORKSPACE) }),
    ...(pin && { pin: { class: input.headerClass, dir: join(root, pin.name) } }),
  }
}

/**
 * The other scenarios that may pin a header class, as far as their `input.json` can be read: their own tests say what is
 * wrong with them. Each scenario reads all the others, so what does not speak of a pin is not parsed.
 */
export function readSiblings(root: string, name: string): ClassMember[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== name)
    .map((entry) => ({ name: entry.name, input: readInput(join(root, entry.name, INPUT)), logs: [] }))
}

function readInput(path: string): ScenarioInput | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  const text = readFileSync(path, 'utf8')
  if (!text.includes('pinsHeader')) return undefined
  try {
    return parseInput(text, path)
  } catch (error) {
    if (error instanceof FixtureError) return undefined
    throw error
  }
}

/** Every file of a scenario, by its path in it, with `/`. */
export function readFiles(dir: string): Map<string, FileContent> {
  const paths = readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return new Map(paths.map((path) => [slashes(relative(dir, path)), readContent(path)]))
}

/** What is no file (a socket, a link that leads to none) has no content. */
function readContent(path: string): FileContent {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? decode(readFileSync(path)) : ''
}

function logsOf(files: ReadonlyMap<string, FileContent>): Scenario['logs'] {
  const logs: Scenario['logs'] = []
  for (let text = textOf(files, logName(0)); text !== undefined; text = textOf(files, logName(logs.length))) {
    logs.push({ file: logName(logs.length), text })
  }
  return logs
}

function displayName(dir: string, cwd: string): string {
  return slashes(relative(cwd, dir)) || '.'
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/')
}
