import { escapeRegExp } from '../escape-reg-exp.ts'
import { dense, unescaped } from './reading.ts'

/** The shortest value that is searched for: a shorter one may be a normal word (`true`, `us`). */
const SHORTEST_SECRET = 6

/** The shortest value that is searched for ignoring case and spaces: a shorter one may match a normal sentence. */
const SHORTEST_ENCODED = 8

/** Only so much of a longer value is searched for: a regular expression has a maximum size. */
const LONGEST_VALUE = 4000

/** Matches a value in a text. `spaceless`: the text must have its white space removed. */
interface ValuePattern {
  pattern: RegExp
  spaceless: boolean
}

/** The pattern that finds a value in each of its forms. `undefined` when the value is too short. */
export function valuePattern(value: string): ValuePattern | undefined {
  const { length } = dense(value)
  if (length < SHORTEST_SECRET) return undefined
  if (length < SHORTEST_ENCODED) return { pattern: anyOf(unescaped(value), 'g'), spaceless: false }
  return { pattern: anyOf(formsOf(value.slice(0, LONGEST_VALUE)), 'gi'), spaceless: true }
}

/** The forms of a value, without white space: plain, hex, and base64 at any offset. Match them ignoring case. */
export function formsOf(value: string): string[] {
  if (dense(value).length < SHORTEST_SECRET) return []
  return unescaped(value).flatMap((form) => [dense(form), ...encoded(form)])
}

function encoded(value: string): string[] {
  const bytes = [Buffer.from(value), Buffer.from(value, 'utf16le')]
  return bytes.flatMap((buffer) => [buffer.toString('hex'), ...[0, 1, 2].flatMap((shift) => base64At(buffer, shift))])
}

/** The base64 characters that depend only on the value, for an offset of `shift` bytes. */
function base64At(buffer: Buffer, shift: number): string[] {
  const bits = Buffer.concat([Buffer.alloc(shift), buffer])
    .toString('base64')
    .replace(/=+$/, '')
  const first = Math.ceil((shift * 8) / 6)
  const last = Math.floor(((shift + buffer.length) * 8) / 6)
  const core = bits.slice(first, last)
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

function anyOf(forms: readonly string[], flags: string): RegExp {
  const longestFirst = [...new Set(forms)]
    .filter((form) => form.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(escapeRegExp).join('|'), flags)
}
