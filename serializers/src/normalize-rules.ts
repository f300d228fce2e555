/**
 * The rules of a project: `testEnvironmentOptions.acp.normalize`. They are JSON values, because Jest sends its config to
 * its workers as JSON.
 */
export interface NormalizeRules {
  /** Built-in rules that do not apply. */
  readonly off?: readonly string[] | undefined
  /** Built-in rules that apply although they are off by default. */
  readonly on?: readonly string[] | undefined
  readonly add?: readonly AddedRule[] | undefined
  /** Kinds of updates (`available_commands_update`) that may come at any time; in a golden they follow the opening of their session. */
  readonly unordered?: readonly string[] | undefined
}

/** A rule of a project's own: for a pattern in any text, or for a place in any frame. */
export interface AddedRule {
  readonly name: string
  /** The name of its token: `cost` for `{{cost}}`. */
  readonly token: string
  /** A regular expression. Each different match gets a number: `{{build}}`, `{{build.2}}`. */
  readonly match?: string | undefined
  /** The flags of `match`: `i`, `m`, `s`, `u`. */
  readonly flags?: string | undefined
  /** A JSON pointer, with `*` for one level and `**` for any number of levels. */
  readonly at?: string | undefined
  /** Whether different values at `at` get numbers. */
  readonly number?: boolean | undefined
}
