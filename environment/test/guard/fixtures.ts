import { guardFixtures } from '../../src/guard/guard-fixtures.ts'
import type { GuardOptions } from '../../src/guard/guard-options.ts'
import type { FileContent, FixtureTree, ScenarioFiles } from '../../src/scenario/tree.ts'

/** The files of a scenario, by path. `undefined` removes a file that a valid scenario has. */
export type Files = Record<string, FileContent | undefined>

export const HEADER = line({ type: 'session', version: 0, id: '{{sessionId}}', createdAt: 0, cwd: '{{cwd}}' })

/** The chunks of a model call that answers with `text`. */
export function answer(text: string): object[] {
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text },
    { type: 'block-end', index: 0, block: { type: 'text', text } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

/** A log with one model call. Line 2 is its `request/header`. */
export function log(chunks: readonly object[] = answer('PONG'), header: object = {}): string {
  const request = { config: { model: 'm' }, system: '{{system}}', tools: '{{tools}}', ...header }
  const events = [
    { type: 'request/header', data: { header: request, reason: 'initial' } },
    { type: 'step/start', data: { turn: 1, step: 1 } },
    ...chunks.map((chunk) => ({ type: 'assistant/chunk', data: { turn: 1, step: 1, chunk } })),
  ]
  return HEADER + events.map(({ type, data }, seq) => line({ type, seq, time: 0, data })).join('')
}

export function input(more: object = {}): string {
  return JSON.stringify({
    ...more,
    steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'Say PONG.' }],
  })
}

export function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** A valid scenario that pins nothing, changed by `files`. */
export function scenario(name: string, files: Files = {}): ScenarioFiles {
  const all: Files = {
    'input.json': input(),
    'session.jsonl': log(),
    'stdout.golden.jsonl': line({ jsonrpc: '2.0', id: 1, result: {} }),
    ...files,
  }
  const present = Object.entries(all).filter((entry): entry is [string, FileContent] => entry[1] !== undefined)
  return { name, files: new Map(present) }
}

/** A valid scenario that pins its header class. */
export function pinning(name: string, files: Files = {}, more: object = {}): ScenarioFiles {
  return scenario(name, {
    'input.json': input({ pinsHeader: true, ...more }),
    'system-prompt.golden.md': 'You help.\n',
    'tool-schemas.golden.json': '[]\n',
    ...files,
  })
}

export function tree(...scenarios: ScenarioFiles[]): FixtureTree {
  return { root: '__fixtures__', scenarios, loose: [] }
}

/** The faults of a scenario `x` as the guard prints them, without the directory: `<file>:<line>: <message>`. */
export function faultsOf(files: Files, options: GuardOptions = {}): string[] {
  return print(tree(scenario('x', files)), options).map((fault) => fault.replace('__fixtures__/x/', ''))
}

/** The faults of a tree, as the guard prints them. */
export function print(fixtures: FixtureTree, options: GuardOptions = {}): string[] {
  return guardFixtures(fixtures, options).map(
    ({ file, line, column, message }) =>
      `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`,
  )
}
