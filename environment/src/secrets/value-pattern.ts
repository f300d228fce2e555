import { escapeRegExp } from '../escape-reg-exp.ts'
import { dense, unescaped } from './reading.ts'

/** A shorter value is a word that may stand anywhere (`true`, `us`), and tells nothing. */
const SHORTEST_SECRET = 6

/** A shorter value, in other letters or split by spaces, may be a word of a sentence. */
const SHORTEST_ENCODED = 8

/** What begins a longer value tells it; the pattern of all of it is more than a machine builds. */
const LONGEST_VALUE = 4000

/** Matches a value in a text. `spaceless` when that text is without white space. */
interface ValuePattern {
  pattern: RegExp
  spaceless: boolean
}

/** How a value is found: in each of its forms. Nothing for one that is too short. */
export function valuePattern(value: string): ValuePattern | undefined {
  const { length } = dense(value)
  if (length < SHORTEST_SECRET) return undefined
  if (length < SHORTEST_ENCODED) return { pattern: anyOf(unescaped(value), 'g'), spaceless: false }
  return { pattern: anyOf(formsOf(value.slice(0, LONGEST_VALUE)), 'gi'), spaceless: true }
}

/** A value without white space: as it is, in hex and in base64 at any offset. Letters may be small or capital in each. */
export function formsOf(value: string): string[] {
  if (dense(value).length < SHORTEST_SECRET) return []
  return unescaped(value).flatMap((form) => [dense(form), ...encoded(form)])
}

function encoded(value: string): string[] {
  const bytes = [Buffer.from(value), Buffer.from(value, 'utf16le')]
  return bytes.flatMap((buffer) => [buffer.toString('hex'), ...[0, 1, 2].flatMap((shift) => base64At(buffer, shift))])
}

/** What of base64 is the same wherever the value stands: the characters that hold bits of nothing else. */
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
