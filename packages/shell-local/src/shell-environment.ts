/** Names of variables that may hold a secret. */
const SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i

/** Variables that name a start-up file for a non-interactive shell. */
const STARTUP = ['BASH_ENV', 'ENV']

/**
 * The environment of a command: the agent's own, without variables that look like secrets, so that no command prints the
 * provider's key into a log, and without variables that make the shell read a start-up file.
 *
 * @param extra variables that the caller sets; they are not checked for secrets
 */
export function shellEnvironment(
  inherited: NodeJS.ProcessEnv,
  extra: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const kept = Object.entries(inherited).filter(([name]) => !SECRET.test(name))
  const all = [...kept, ...Object.entries(extra)]
  return Object.fromEntries(all.filter(([name]) => !STARTUP.includes(name)))
}
