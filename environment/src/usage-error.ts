/** Something that the person who started Jest has to mend: an option, a flag, a variable. One line, where it can be. */
export class UsageError extends Error {
  override name = 'UsageError'
}
