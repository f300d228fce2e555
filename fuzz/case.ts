import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MUTATIONS, type Mutation } from './mutations.ts'
import { Random } from './random.ts'

const FIXTURES = join(__dirname, '..', '__fixtures__')

/** The scenario that pins the header class of all others. */
const PIN = 'text-turn'

/** One fixture that was changed in one place. Seed and index decide all of it. */
export interface Case {
  index: number
  kind: string
  /** The scenario that was copied, and the name of its copy. */
  scenario: string
  name: string
  mutation: Mutation
}

/** How one mutation is named, and repeated. */
export function describeCase(seed: number, { index, kind, name, mutation }: Case): string {
  return `${kind}: ${name}/${JSON.stringify(mutation.file)}; npm run fuzz -- --seed ${seed} --from ${index} --runs 1`
}

/**
 * Copies a scenario into a directory of scenarios, and mutates it. Kinds come in turn, so that few runs have them all.
 *
 * @param named gives the copy its name
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
  // Some scenarios have no place for some kinds.
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
 * Whether a mutated file says what the original says: JSON as a reader has it, without the description for people. What
 * lies in the workspace is nobody's but the agent's.
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

/** Copies the scenario that the others need: it pins their header class. */
export function copyPin(root: string): void {
  cpSync(join(FIXTURES, PIN), join(root, PIN), { recursive: true })
}
