import type { NormalizeRules } from './normalize-rules.ts'
import { type AddedPattern, toPattern } from './rules/added-patterns.ts'
import { type AddedPointer, toPointer } from './rules/added-pointers.ts'
import { BUILT_IN_RULES, type RuleName } from './rules/built-in.ts'

/** The rules of a project, ready for use. */
export interface RuleSet {
  isOn(name: RuleName): boolean
  readonly patterns: readonly AddedPattern[]
  readonly pointers: readonly AddedPointer[]
  readonly unordered: readonly string[]
}

/** Compiles rules, once for each object. Rules that {@link ruleProblems} refuses may throw. */
export function ruleSet(rules: NormalizeRules = NONE): RuleSet {
  const known = compiled.get(rules)
  if (known) return known
  const set = compile(rules)
  compiled.set(rules, set)
  return set
}

const NONE: NormalizeRules = {}
const compiled = new WeakMap<NormalizeRules, RuleSet>()

function compile({ off = [], on = [], add = [], unordered = [] }: NormalizeRules): RuleSet {
  const active = new Set<RuleName>()
  for (const { name, byDefault } of BUILT_IN_RULES) {
    if (on.includes(name) || (byDefault && !off.includes(name))) active.add(name)
  }
  return {
    isOn: (name) => active.has(name),
    patterns: add.flatMap(toPattern),
    pointers: add.flatMap(toPointer),
    unordered,
  }
}
