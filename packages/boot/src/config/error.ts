/** A config that cannot be used. The message names the file, and what to fix. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
