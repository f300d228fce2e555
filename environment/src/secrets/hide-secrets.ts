import type { FixtureFault } from '../scenario/fault.ts'
import { type FoundText, type Secrets, searchesFor } from './check-secrets.ts'
import { redact } from './redact.ts'

/** More secrets than anybody takes out at once: then those that were found first are hidden where a quote cuts them. */
const MOST_FOUND = 200

/** No message of ours quotes more before it cuts the quote. */
const LONGEST_QUOTE = 200

/**
 * Takes secrets out of messages that quote a fixture, and out of the names of files.
 *
 * @param found what the guard found in the files: a quote may hold a part of it
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
