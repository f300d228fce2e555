import { cutOut, type Find, findIn, placeOf, type Search } from './find-secrets.ts'
import { type Reading, readingsOf, verbatim, withoutSpace } from './reading.ts'
import { formsOf, valuePattern } from './value-pattern.ts'

/** A text that must not be printed, and its replacement. */
export interface Known {
  value: string
  replacement: string
}

/** The mark at the end or beginning of a shortened quote. */
const CUT = '…'

/** The shortest part of a secret, in characters, that is removed at a cut. A shorter part may be a normal word. */
const SHORTEST_PART = 4

/** More cuts than any of our messages has. A fixture may contain many more. */
const MOST_CUTS = 2000

/** Long values are searched for in pieces of this length. */
const PIECE = /.{1,2000}/gs

/** The half of an escape that a cut leaves before it and after it. */
const HALF_BEFORE = /\\(?:u(?:[0-9a-f]{0,3}|\{[0-9a-f]{0,6})|x[0-9a-f]?)?$|%[0-9a-f]?$/i
const HALF_AFTER = /^(?:u[0-9a-f]{4}|(?:u?\{)?[0-9a-f]{1,6}\}|x?[0-9a-f]{1,3})/i
const HALF_LENGTH = 9

/** Replaces values in a text with `[redacted]`, in any encoding that {@link readingsOf} decodes. */
export function redactValues(text: string, values: readonly string[]): string {
  return redact(
    text,
    values.flatMap(piecesOf).map((value) => ({ value, replacement: '[redacted]' })),
    [],
  )
}

/**
 * Removes from a message what must not be printed: the known texts in any encoding, their parts in shortened quotes,
 * and everything that looks like a secret.
 */
export function redact(message: string, known: readonly Known[], searches: readonly Search[]): string {
  const whole = known.flatMap(({ value, replacement }) => {
    const found = valuePattern(value)
    return found ? [{ what: replacement, advice: '', ...found }] : []
  })
  const shapes = searches.map((search) => ({ ...search, what: `[${search.what}]` }))
  const start = verbatim(message)
  return cutOut(message, [...findIn(start, [...whole, ...shapes]), ...findParts(start, known)], ({ what }) => what)
}

/** The value, each of its lines (a multi-line key may be printed line by line), in pieces short enough for a pattern. */
function piecesOf(value: string): string[] {
  const pieces = value.includes('\n') ? [value, ...value.split(/\r?\n/)] : [value]
  return pieces.flatMap((piece) => piece.match(PIECE) ?? [])
}

type Part = Pick<Find, 'what' | 'start' | 'end'>

/** The beginning of a known text before a cut, and its end after one. */
function findParts(start: Reading, known: readonly Known[]): Part[] {
  if (!start.text.includes(CUT) || known.length === 0) return []
  const forms = known.flatMap(({ value, replacement }) =>
    formsOf(value).map((form) => ({ form: form.toLowerCase(), replacement })),
  )
  return readingsOf(start).flatMap((level) => {
    const reading = withoutSpace(level)
    return cutsOf(reading.text).flatMap((cut) => forms.flatMap((form) => partsAt(reading, cut, form)))
  })
}

function cutsOf(text: string): number[] {
  const cuts: number[] = []
  for (let at = text.indexOf(CUT); at !== -1 && cuts.length < MOST_CUTS; at = text.indexOf(CUT, at + 1)) cuts.push(at)
  return cuts
}

function partsAt(reading: Reading, cut: number, { form, replacement }: { form: string; replacement: string }): Part[] {
  const said = reading.text.slice(Math.max(0, cut - form.length - HALF_LENGTH), cut)
  const before = said.replace(HALF_BEFORE, '').toLowerCase()
  const head = longestPart(form, (length) => before.endsWith(form.slice(0, length)))
  const halfBefore = said.length - before.length
  const rest = reading.text.slice(cut + 1, cut + 1 + form.length + HALF_LENGTH).toLowerCase()
  const halves = [0, HALF_AFTER.exec(rest)?.[0].length ?? 0]
  const tails = halves.map((half) => half + longestPart(form, (length) => rest.startsWith(form.slice(-length), half)))
  const tail = tails.find((end, i) => end > (halves[i] ?? 0)) ?? 0
  return [
    ...(head > 0 ? [{ what: replacement, ...placeOf(reading, cut - halfBefore - head, cut) }] : []),
    ...(tail > 0 ? [{ what: replacement, ...placeOf(reading, cut + 1, cut + 1 + tail) }] : []),
  ]
}

function longestPart({ length }: string, fits: (length: number) => boolean): number {
  for (let part = length; part >= SHORTEST_PART; part--) if (fits(part)) return part
  return 0
}
