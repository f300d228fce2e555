import {
  type AddedRule,
  BUILT_IN_RULES,
  type NormalizeRules,
  normalizeTranscript,
  ruleProblems,
  type Transcript,
} from 'jest-serializer-acp'
import { type Difference, differencesOf, differingWords } from './differences.ts'
import { generalize } from './generalize.ts'
import { kindOf, leavesOf } from './leaves.ts'

/** The rules that make several runs of one scenario equal, as far as there are any. */
export interface Proposal {
  /** The rules to use: those that the runs had, and the proposed ones. */
  readonly rules: NormalizeRules
  readonly proposed: readonly ProposedRule[]
  /** What still differs under these rules: nothing when the runs are equal. */
  readonly remaining: readonly Difference[]
}

/** One change of the rules. */
interface ProposedRule {
  /** As in `add "build"` or `on "chunks"`. */
  readonly change: string
  /** A value that it covers, or `undefined` for a rule about the order or number of frames. */
  readonly example?: Difference
  /** How many values that are equal in all runs it replaces too. */
  readonly alsoReplaces: number
}

type Run = Pick<Transcript, 'frames' | 'volatile'>

/**
 * Compares several runs of one scenario, and proposes the smallest rule for each difference: a built-in rule that is off,
 * an order or a repetition that does not count, a pattern, a JSON pointer. Each rule is tried before it is proposed.
 */
export function proposeRules(runs: readonly Run[]): Proposal {
  let state = tryRules(runs, runs[0]?.volatile.rules ?? {})
  const proposed: ProposedRule[] = []
  while (state.missing.length + state.values.length > 0 && proposed.length < MOST_RULES) {
    const step = nextStep(runs, state)
    if (!step) break
    proposed.push(step.rule)
    state = step.state
  }
  return { rules: state.rules, proposed, remaining: [...state.missing, ...state.values] }
}

const MOST_RULES = 40

/** The differences under some rules. */
interface State {
  readonly rules: NormalizeRules
  readonly texts: readonly (readonly string[])[]
  readonly missing: readonly Difference[]
  readonly values: readonly Difference[]
  /** How many words differ. */
  readonly size: number
}

interface Step {
  readonly rule: ProposedRule
  readonly state: State
}

interface Candidate {
  readonly change: string
  readonly rules: NormalizeRules
}

function tryRules(runs: readonly Run[], rules: NormalizeRules): State {
  const texts = runs.map(({ frames, volatile }) => normalizeTranscript(frames, { ...volatile, rules }))
  const { missing, values } = differencesOf(texts)
  return {
    rules,
    texts,
    missing,
    values,
    size: values.reduce((sum, { values }) => sum + differingWords(values), missing.length),
  }
}

function nextStep(runs: readonly Run[], state: State): Step | undefined {
  const ofFrames = state.missing.length > 0 ? bestOf(runs, state, frameRules(state)) : undefined
  return ofFrames ?? bestOf(runs, state, builtInRules(state)) ?? firstOf(runs, state)
}

/** The candidate after which the fewest differences are left. */
function bestOf(runs: readonly Run[], before: State, candidates: readonly Candidate[]): Step | undefined {
  const steps = candidates.map(({ change, rules }) => ({ change, state: tryRules(runs, rules) }))
  const better = steps.filter(({ state }) => isBetter(state, before))
  const [first, ...others] = better
  if (!first) return undefined
  const best = others.reduce((best, step) => (isBetter(step.state, best.state) ? step : best), first)
  return { rule: { change: best.change, alsoReplaces: 0 }, state: best.state }
}

function isBetter(state: State, before: State): boolean {
  if (state.missing.length !== before.missing.length) return state.missing.length < before.missing.length
  return state.size < before.size
}

/** Rules about the order and the number of frames. */
function frameRules({ rules, texts }: State): Candidate[] {
  const kinds = new Set(texts.flat().map(kindOf))
  const known = rules.unordered ?? []
  const movable = [...kinds].filter((kind) => !known.includes(kind) && isMovable(kind, texts))
  const sets = [...movable.map((kind) => [kind]), ...pairsOf(movable), ...(movable.length > 2 ? [movable] : [])]
  return [
    ...['repeated-updates', 'chunks'].flatMap((name) => turnOn(name, rules)),
    ...sets
      .map((kinds) => ({
        change: `unordered ${kinds.map((kind) => `"${kind}"`).join(', ')}`,
        rules: { ...rules, unordered: [...known, ...kinds] },
      }))
      .filter((candidate) => ruleProblems(candidate.rules).length === 0),
  ]
}

/** Whether frames of a kind are notifications, as often in each run. A turn's own frames have an order. */
function isMovable(kind: string, texts: readonly (readonly string[])[]): boolean {
  if (ORDERED.has(kind)) return false
  const frames = texts.flat().filter((frame) => kindOf(frame) === kind)
  return frames.every((frame) => !('id' in JSON.parse(frame)))
}

const ORDERED: ReadonlySet<string> = new Set(['response', 'tool_call', 'tool_call_update', 'plan'])

function pairsOf(kinds: readonly string[]): string[][] {
  return kinds.flatMap((a, i) => kinds.slice(i + 1).map((b) => [a, b]))
}

/** Built-in rules that are off. */
function builtInRules({ rules }: State): Candidate[] {
  return BUILT_IN_RULES.flatMap(({ name }) => turnOn(name, rules))
}

function turnOn(name: string, rules: NormalizeRules): Candidate[] {
  const { off = [], on = [] } = rules
  const isOn = BUILT_IN_RULES.some((rule) => rule.name === name && rule.byDefault)
    ? !off.includes(name)
    : on.includes(name)
  if (isOn) return []
  if (off.includes(name))
    return [{ change: `not off "${name}"`, rules: { ...rules, off: off.filter((other) => other !== name) } }]
  return [{ change: `on "${name}"`, rules: { ...rules, on: [...on, name] } }]
}

/** The first added rule that helps: a pattern that covers nothing else, or a pointer. */
function firstOf(runs: readonly Run[], before: State): Step | undefined {
  for (const difference of before.values) {
    const attempts = addedRules(difference, before.rules).map((rule) => attempt(runs, before, difference, rule))
    const steps = attempts.flatMap((step) => step ?? [])
    const clean = steps.find(({ rule }) => rule.alsoReplaces === 0)
    const fewest = steps.sort((a, b) => a.rule.alsoReplaces - b.rule.alsoReplaces)[0]
    const step = clean ?? fewest
    if (step) return step
  }
  return undefined
}

function attempt(runs: readonly Run[], before: State, example: Difference, added: AddedRule): Step | undefined {
  const rules = { ...before.rules, add: [...(before.rules.add ?? []), added] }
  const state = tryRules(runs, rules)
  if (!isBetter(state, before) || ruleProblems(rules).length > 0) return undefined
  return { rule: { change: `add "${added.name}"`, example, alsoReplaces: equalValuesReplaced(before, state) }, state }
}

/** How many values of the first run change although they are equal in all runs. */
function equalValuesReplaced(before: State, after: State): number {
  const differing = new Set(before.values.map(({ frame, pointer }) => `${frame} ${pointer}`))
  const [old = [], now = []] = [before.texts[0], after.texts[0]]
  return old.reduce((sum, frame, i) => {
    const values = new Map(leavesOf(now[i] ?? 'null').map(({ pointer, value }) => [pointer, value]))
    const changed = leavesOf(frame).filter(
      ({ pointer, value }) => values.get(pointer) !== value && !differing.has(`${i + 1} ${pointer}`),
    )
    return sum + changed.length
  }, 0)
}

/** What an agent says is never hidden as a whole. */
const SAID = /\/(?:text|content)$/

function addedRules({ pointer, values }: Difference, rules: NormalizeRules): AddedRule[] {
  const parsed = values.map((value): unknown => (value === undefined || pointer === '' ? undefined : JSON.parse(value)))
  const texts = parsed.filter((value) => typeof value === 'string')
  const patterns =
    texts.length === parsed.length
      ? generalize(texts).map(({ word, ...pattern }) => ({ ...named(word, rules), ...pattern }))
      : []
  if (pointer === '' || SAID.test(pointer) || pointer.includes('{{')) return patterns
  const word = /[A-Za-z]+(?=[^/]*$)/.exec(pointer)?.[0] ?? 'value'
  const anyItem = pointer.replace(/\/\d+(?=\/|$)/g, '/*')
  const pointers = [...new Set([anyItem, pointer])].map((at) => ({ ...named(word, rules), at }))
  return [...patterns, ...pointers]
}

/** A free name, and a token of the same name. */
function named(word: string, { add = [] }: NormalizeRules): Pick<AddedRule, 'name' | 'token'> {
  const base = word.toLowerCase()
  const isFree = (name: string) => {
    const alone = { add: [{ name, token: name, at: '/x' }] }
    return !add.some((rule) => rule.name === name || rule.token === name) && ruleProblems(alone).length === 0
  }
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`
    if (isFree(name)) return { name, token: name }
  }
}
