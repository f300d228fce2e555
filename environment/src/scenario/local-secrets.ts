import type { Secrets } from './guard/secrets.ts'

const SECRET_NAME = /(?:^|_)(?:[A-Z]*KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_|$)/i

/** What this machine knows that no fixture may hold: the values of variables that look secret by name, and whose it is. */
export function localSecrets(env: NodeJS.ProcessEnv): Secrets {
  return {
    values: Object.entries(env).flatMap(([name, value = '']) => (SECRET_NAME.test(name) ? [{ name, value }] : [])),
    home: env.HOME ?? env.USERPROFILE,
    user: env.USER ?? env.LOGNAME ?? env.USERNAME,
  }
}
