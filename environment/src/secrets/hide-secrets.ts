import type { FixtureFault } from '../scenario/fault.ts'
import { type FoundText, type Secrets, searchesFor } from './check-secrets.ts'
import { redact } from './redact.ts'

/** The limit on the finds that are hidden in shortened quotes: only the first ones are. */
const MOST_FOUND = 200

/** At least as long as the longest quote in a message before it is shortened. */
const LONGEST_QUOTE = 200

/**
 * Removes secrets from messages that quote a fixture, and from file names.
 *
 * @param found the secrets that the guard found in the files: a quote may contain a part of one
 */
export function hideSecrets(
  faults: readonly FixtureFault[],
  found: readonly FoundText[],
  secrets: Secrets | undefined,
): FixtureFault[] {
  const searches = searchesFor(secrets)
  const known = [
    ...(secrets?.values ?? []).map(({ name, value }) => ({ value, replacement: `[the value of ${name}]` })),
    ...found
      .slice(0, MOST_FOUND)
      .map(({ what, text }) => ({ value: text.slice(0, LONGEST_QUOTE), replacement: `[${what}]` })),
  ]
  const hide = (text: string) => redact(text, known, searches)
  return faults.map((fault) => ({ ...fault, file: hide(fault.file), message: hide(fault.message) }))
}
