import { cutOut, type Find, findIn, placeOf, type Search } from './find-secrets.ts'
import { type Reading, readingsOf, verbatim, withoutSpace } from './reading.ts'
import { formsOf, valuePattern } from './value-pattern.ts'

/** A text that may not be printed, and what stands in its place. */
export interface Known {
  value: string
  replacement: string
}

/** What a message shortens ends with this, or begins with it. */
const CUT = '…'

/** So many characters of a secret at a cut are taken out; fewer may be a word, and tell nothing. */
const SHORTEST_PART = 4

/** More cuts than any message of ours has: a fixture may be full of them. */
const MOST_CUTS = 2000

/** So much of a value is looked for as one. */
const PIECE = /.{1,2000}/gs

/** Half of an escape, which a cut leaves before it and after it. */
const HALF_BEFORE = /\\(?:u(?:[0-9a-f]{0,3}|\{[0-9a-f]{0,6})|x[0-9a-f]?)?$|%[0-9a-f]?$/i
const HALF_AFTER = /^(?:u[0-9a-f]{4}|(?:u?\{)?[0-9a-f]{1,6}\}|x?[0-9a-f]{1,3})/i
const HALF_LENGTH = 9

/** Takes values out of a text, however they are encoded there: each becomes `[redacted]`. */
export function redactValues(text: string, values: readonly string[]): string {
  return redact(
    text,
    values.flatMap(piecesOf).map((value) => ({ value, replacement: '[redacted]' })),
    [],
  )
}

/**
 * Takes out of a message what must not be printed: the known texts, however they are encoded, what a shortened quote
 * leaves of them, and what looks like a secret.
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

/** A key of many lines may be printed line by line, each behind a mark; one that is very long makes no pattern. */
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
