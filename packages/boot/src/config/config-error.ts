/** An invalid command line or config. The message says where, and what is wrong. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
