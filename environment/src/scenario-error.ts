/** A scenario that did not run as its script says. The message is for the person who reads CI. */
export class ScenarioError extends Error {
  override name = 'ScenarioError'
}

/** What a step met: `expected` and `got` complete the sentences that begin so. */
export class StepError extends Error {
  override name = 'StepError'

  constructor(expected: string, got: string) {
    super(`expected ${expected}\n  got      ${got}`)
  }
}

/** A value as one line of a message, cut where it gets long. */
export function inspect(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}
