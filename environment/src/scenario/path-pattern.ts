/**
 * Where an absolute path can begin, for a regular expression: not inside a longer path or a word.
 * An escape of JSON (`\n/tmp/x`) ends a word too, though its last letter looks like one.
 */
export const PATH_START = String.raw`(?:(?<![\w.}~-])|(?<=\\[bfnrt]))`
