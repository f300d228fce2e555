import { ENCODED_SLASH, type SpellingKind } from './path-spelling.ts'
import { ESCAPE, WORD } from './word-boundary.ts'

/** A path can begin here although a letter or a sign precedes it. The sign marks a line of a diff. */
const AFTER_SPACE = String.raw`(?:^|[\s"'${'`'}]|\\[nrt])`
const BREAK = String.raw`${ESCAPE}|${AFTER_SPACE}[+\-]`
const OPTION_LETTER = String.raw`(?:${AFTER_SPACE}|[(\[,=])-[A-Za-z]`
const FILE_URL = String.raw`file(?::|%(?:25)*3[aA])(?:\\*/|${ENCODED_SLASH}){2}(?:localhost)?`
/** `a/` and `b/` of `git diff --no-index`, or the prefixes of `diff.mnemonicPrefix`. */
const DIFF_SIDE = String.raw`(?:\\*")?[abciow12]`
const DIFF = String.raw`(?:---|\+\+\+|--git|files|and) ${DIFF_SIDE}|--git ${DIFF_SIDE}/[^\n]{1,512} ${DIFF_SIDE}`
/** A percent-encoded character that is neither a letter nor a separator. Only an encoded slash can follow it. */
const ENCODED_SIGN = '%(?:25)*(?:0[9aAdD]|2[0-9a-cA-C]|3[a-fA-F]|5[bBdD]|7[b-dB-D])'

const NO_PATH_BEFORE = String.raw`(?<![${WORD}.~+\-/\\]|\}\})`

const BEGIN: { readonly [K in SpellingKind]: string } = {
  absolute: `${NO_PATH_BEFORE}|(?<=${BREAK}|${FILE_URL}|${OPTION_LETTER})|(?<=${ENCODED_SIGN})(?=%)`,
  relative: String.raw`${NO_PATH_BEFORE}|(?<=${BREAK}|(?<![${WORD}.}])\.\.\\*/)`,
  drive: String.raw`(?<=${FILE_URL})\\*/|(?<![${WORD}]|\}\})|(?<=${ESCAPE}|${OPTION_LETTER})`,
  unc: `${NO_PATH_BEFORE}|(?<=${ESCAPE})`,
}

/** A regular expression (flag `u`) for spellings of one kind where they can occur, with one group for each. */
export function anyOf(kind: SpellingKind, sources: readonly string[]): string {
  const spelled = `(?:${sources.map((source) => `(${source})`).join('|')})${END}`
  if (kind !== 'absolute') return `(?:${BEGIN[kind]})${spelled}`
  // Look for the head of a diff only if a path follows: this lookbehind goes far back.
  const inDiff = `(?<=[abciow12])(?=${sources.join('|')})(?<=${DIFF})`
  return String.raw`(?=[\\/%])(?:${BEGIN[kind]}|${inDiff})${spelled}`
}

/** Characters that continue a file name (`{` opens a brace expansion or a token); dots alone end a sentence. */
const NAME = String.raw`${WORD}\-~+@\{`
/** A percent-encoded separator, quote, line end or separator of query parts. */
const ENCODED_END = '(?:25)*(?:2[fF26]|5[cC]|0[9aAdD]|3[aA])'

/** The end of every spelling. */
const END = String.raw`(?![${NAME}]|%(?!${ENCODED_END})|\.+[${NAME}%/]|\\+ )`
