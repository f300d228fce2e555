import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MUTATIONS, type Mutation } from './mutations.ts'
import { Random } from './random.ts'

const FIXTURES = join(__dirname, '..', '__fixtures__')

/** The scenario that pins the header class of the others. */
const PIN = 'text-turn'

/** One fixture with one mutation. Seed and index determine it completely. */
export interface Case {
  index: number
  kind: string
  /** The original scenario. `name` is the name of the copy. */
  scenario: string
  name: string
  mutation: Mutation
}

/** Names a mutation, and gives the command that repeats it. */
export function describeCase(seed: number, { index, kind, name, mutation }: Case): string {
  return `${kind}: ${name}/${JSON.stringify(mutation.file)}; npm run fuzz -- --seed ${seed} --from ${index} --runs 1`
}

/**
 * Copies a scenario into a directory of scenarios, and mutates it. Kinds rotate with the index, so that few runs cover
 * all of them.
 *
 * @param named returns the name of the copy
 */
export async function makeCase(
  root: string,
  seed: number,
  index: number,
  named: (scenario: string) => string,
): Promise<Case> {
  const random = new Random(seed, index)
  const kinds = Object.entries(MUTATIONS)
  const [kind, mutate] = kinds[index % kinds.length] ?? random.pick(kinds)
  const scenarios = readdirSync(FIXTURES)
    .filter((name) => !name.includes('.') && name !== PIN)
    .sort()
  // Not every kind applies to every scenario.
  for (;;) {
    const scenario = random.pick(scenarios)
    const name = named(scenario)
    const dir = join(root, name)
    cpSync(join(FIXTURES, scenario), dir, { recursive: true })
    const mutation = await mutate({ dir, other: join(FIXTURES, random.pick(scenarios)), random })
    if (mutation) return { index, kind, scenario, name, mutation }
  }
}

/**
 * Whether a mutated file means the same as the original: equal as JSON, without `description`. A file in `workspace/`
 * always counts as unchanged, since only the agent reads it.
 */
export function changesNothing(root: string, { scenario, name, mutation }: Case): boolean {
  if (mutation.file.startsWith('workspace/')) return true
  const [before, after] = [join(FIXTURES, scenario), join(root, name)].map((dir) => meaningOf(join(dir, mutation.file)))
  return isDeepStrictEqual(before, after)
}

function meaningOf(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.jsonl')) return text.split('\n').map((line) => line && JSON.parse(line))
  if (!file.endsWith('.json')) return text
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value, description: undefined } : value
}

/** Copies the scenario that pins the header class of the others. */
export function copyPin(root: string): void {
  cpSync(join(FIXTURES, PIN), join(root, PIN), { recursive: true })
}
