import type { AddedRule, NormalizeRules } from './normalize-rules.ts'
import { FRAME_KEYS, segmentsOf } from './rules/added-pointers.ts'
import { BUILT_IN_RULES, RULE_OF_TOKEN } from './rules/built-in.ts'
import { isExponential } from './rules/slow-pattern.ts'
import { TOKEN_NAME } from './tokens.ts'
import { CHUNK_KINDS } from './transcript-streams.ts'

/** What is wrong with the rules of a project. */
export interface RuleProblem {
  /** Where: `off[0]`, `add[1].match`. */
  readonly at: string
  readonly problem: string
  /** An unknown name, for a suggestion. */
  readonly unknown?: { readonly written: string; readonly known: readonly string[] }
}

/** Checks rules that have the right shape. */
export function ruleProblems({ off = [], on = [], add = [], unordered = [] }: NormalizeRules): RuleProblem[] {
  return [
    ...off.flatMap((name, i) => nameProblems(`off[${i}]`, name)),
    ...on.flatMap((name, i) => nameProblems(`on[${i}]`, name)),
    ...on.flatMap((name, i) =>
      off.includes(name) ? [{ at: `on[${i}]`, problem: `rule "${name}" is in "off" too; name it once` }] : [],
    ),
    ...add.flatMap((rule, i) => [
      ...ownNameProblems(`add[${i}]`, rule, add.slice(0, i)),
      ...tokenProblems(`add[${i}]`, rule),
      ...kindProblems(`add[${i}]`, rule),
    ]),
    ...unordered.flatMap((kind, i) =>
      CHUNK_KINDS.has(kind)
        ? [
            {
              at: `unordered[${i}]`,
              problem: `the order of "${kind}" is the text itself; for its borders, turn on "chunks"`,
            },
          ]
        : [],
    ),
  ]
}

const NAMES: readonly string[] = BUILT_IN_RULES.map(({ name }) => name)

function nameProblems(at: string, name: string): RuleProblem[] {
  if (NAMES.includes(name)) return []
  return [{ at, problem: `unknown rule "${name}"`, unknown: { written: name, known: NAMES } }]
}

function ownNameProblems(at: string, { name }: AddedRule, before: readonly AddedRule[]): RuleProblem[] {
  if (NAMES.includes(name)) return [{ at: `${at}.name`, problem: `"${name}" is a built-in rule; choose another name` }]
  if (!before.some((rule) => rule.name === name)) return []
  return [{ at: `${at}.name`, problem: `a second rule "${name}"; each rule has its own name` }]
}

const TOKEN = new RegExp(`^${TOKEN_NAME}$`)

function tokenProblems(at: string, { name, token }: AddedRule): RuleProblem[] {
  const say = (problem: string) => [{ at: `${at}.token`, problem: `rule "${name}": ${problem}` }]
  if (!TOKEN.test(token)) return say(`the token ${JSON.stringify(token)} must be letters and digits, as in "cost"`)
  const owner = RULE_OF_TOKEN.get(token)
  return owner === undefined ? [] : say(`{{${token}}} is the token of the built-in rule "${owner}"; choose another one`)
}

function kindProblems(at: string, rule: AddedRule): RuleProblem[] {
  const { name, match, flags, at: pointer, number } = rule
  const say = (key: string, problem: string) => [{ at: `${at}${key}`, problem: `rule "${name}": ${problem}` }]
  if ((match === undefined) === (pointer === undefined)) {
    return say('', 'needs "match", a regular expression, or "at", a JSON pointer, and not both')
  }
  if (pointer !== undefined) {
    if (flags !== undefined) return say('.flags', 'belongs to "match"')
    const problem = pointerProblem(pointer)
    return problem === undefined ? [] : say('.at', `${JSON.stringify(pointer)} ${problem}`)
  }
  if (number !== undefined) return say('.number', 'belongs to "at"; different matches of "match" always get numbers')
  if (flags !== undefined && !/^[imsu]*$/.test(flags)) return say('.flags', 'may be i, m, s and u')
  const problem = patternProblem(match ?? '', flags)
  return problem === undefined ? [] : say('.match', `${JSON.stringify(match)} ${problem}`)
}

const LONGEST_PATTERN = 1000

function patternProblem(match: string, flags = ''): string | undefined {
  if (match.length > LONGEST_PATTERN) return `has more than ${LONGEST_PATTERN} characters`
  let pattern: RegExp
  try {
    pattern = new RegExp(match, flags)
  } catch (error) {
    return `is not a regular expression: ${messageOf(error)}`
  }
  if (pattern.test('')) return 'matches the empty string, so it would match everywhere; use + instead of *'
  if (isExponential(match, flags)) return 'takes exponential time for some texts; do not repeat a repeated group'
  return undefined
}

function pointerProblem(pointer: string): string | undefined {
  if (!pointer.startsWith('/') || pointer === '/')
    return 'must be a JSON pointer to a value, as in "/params/update/title"'
  if (/~(?![01])/.test(pointer)) return 'has a ~ that is not ~0 (for ~) or ~1 (for /)'
  const segments = segmentsOf(pointer)
  if (segments.at(-1) === '**') return 'ends in **, which would replace everything; name the last key'
  if (segments.includes('') && segments.length > 1) return 'has an empty key; remove the second /'
  if (segments.some((segment) => segment.includes('{{'))) return 'names a token; use * for a key that changes'
  const [only, ...rest] = segments
  if (rest.length === 0 && FRAME_KEYS.has(only ?? '')) return 'is part of JSON-RPC, which no rule replaces'
  return undefined
}

/** Under Jest, an error may belong to another realm. */
function messageOf(error: unknown): string {
  const text = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  return text.replace(/^Invalid regular expression: /, '')
}
