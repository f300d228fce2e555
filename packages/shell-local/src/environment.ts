/** Names of variables that may hold a secret. */
const SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i

/** Start-up files that a non-interactive shell reads. */
const STARTUP = ['BASH_ENV', 'ENV']

/**
 * The environment of a command: what the agent has, without what looks like a secret, so that no call prints the
 * provider's key into a log, and without what would make the shell read a start-up file.
 *
 * @param extra variables that the caller sets on purpose: these are not searched for secrets
 */
export function shellEnvironment(
  inherited: NodeJS.ProcessEnv,
  extra: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const kept = Object.entries(inherited).filter(([name]) => !SECRET.test(name))
  const all = [...kept, ...Object.entries(extra)]
  return Object.fromEntries(all.filter(([name]) => !STARTUP.includes(name)))
}
