const PLACEHOLDER =
  /^(?:\W+|\$\{?\w+\}?|%\w+%|<.*>?|\{.*|x+|\.{3}|(?:your|my|the|some|example|dummy|fake|test)[-_ ]?(?:api|access|secret)?[-_ ]?(?:key|token|password|pass|secret)|pass(?:word)?|passwd|pwd|secret|token|changeme|example|redacted|postgres|root|admin|user)$/i

/** Whether a value stands for a secret in an example: `{{token}}`, `$PASSWORD`, `changeme`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}
