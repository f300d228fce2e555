import type { NormalizeRules } from 'jest-serializer-acp'
import type { Proposal } from './propose.ts'

/** Rules as JavaScript, to be pasted into `testEnvironmentOptions.acp`. */
export function printRules(rules: NormalizeRules): string {
  const keys = (['off', 'on', 'add', 'unordered'] as const).flatMap((key) => {
    const list = rules[key] ?? []
    if (list.length === 0) return []
    if (key !== 'add') return `  ${key}: ${print(list)},`
    return ['  add: [', ...list.map((rule) => `    ${print(rule)},`), '  ],']
  })
  return ['normalize: {', ...keys, '},'].join('\n')
}

/**
 * A proposal as lines of text.
 *
 * @param hide removes secrets from a text. It sees each value whole, before it is shortened, and the rules
 */
export function formatProposal({ rules, proposed, remaining }: Proposal, hide: (text: string) => string): string[] {
  const show = (value: string | undefined) => (value === undefined ? '(missing)' : shorten(hide(value)))
  const listed = proposed.flatMap(({ change, example, alsoReplaces }) => [
    `  ${change}${example ? `: frame ${example.frame} ${example.pointer}` : ''}`,
    ...(example ? [`    ${example.values.map(show).join(' | ')}`] : []),
    ...(alsoReplaces > 0 ? [`    it also replaces ${alsoReplaces} values that are equal in all runs`] : []),
  ])
  const left = remaining.flatMap(({ frame, pointer, values }) => [
    `  frame ${frame}${pointer === '' ? '' : ` ${pointer}`}`,
    `    ${values.map(show).join(' | ')}`,
  ])
  return [
    ...(proposed.length > 0 ? ['proposed rules:', ...listed, '', hide(printRules(rules))] : []),
    ...(proposed.length > 0 && remaining.length > 0 ? [''] : []),
    ...(remaining.length > 0 ? ['no rule explains these differences:', ...left] : []),
    ...(proposed.length === 0 && remaining.length === 0 ? ['the runs are equal'] : []),
  ]
}

const LONGEST = 60

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** A JSON value with single quotes, and without quotes around keys. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${print(value)}`],
  )
  return `{ ${entries.join(', ')} }`
}

function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}
