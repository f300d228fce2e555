import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Secrets } from './check-secrets.ts'
import { isPlaceholder } from './placeholder.ts'

const SECRET_NAME =
  /(?:^|_)(?:[A-Z]*KEY|TOKEN|SECRET|[A-Z]*PASSWORD|PASSWD|PASSPHRASE|PASS|[A-Z]*PWD|CREDENTIALS?|PAT|DSN|AUTH|COOKIES?|SESSION|CONNECTION_STRING|WEBHOOK_URL)(?:_|$)/i

/** Names that look secret but hold public values of a desktop or shell. */
const PUBLIC_NAME =
  /^(?:PWD|OLDPWD|INIT_CWD)$|^XDG_|^(?:DESKTOP|TERM)_SESSION|^SESSION_MANAGER$|_(?:SOCK|SOCKET|FILE|PATH|DIR)$/i

/** A switch or a number. */
const SETTING =
  /^(?:true|false|yes|no|on|off|none|null|default|enabled|disabled|required|optional|[-+]?\d+(?:\.\d+)?)$/i

/** The secrets of this machine: values of variables with secret-looking names, the home directory and the user name. */
export function localSecrets(env: NodeJS.ProcessEnv): Secrets {
  return {
    values: Object.entries(env).flatMap(([name, value = '']) => secretsOf(name, value)),
    home: env.HOME ?? env.USERPROFILE,
    user: env.USER ?? env.LOGNAME ?? env.USERNAME,
  }
}

/** In a URL, only the password is secret, or the user when there is no password (`SENTRY_DSN`). */
function secretsOf(name: string, value: string): Secrets['values'] {
  const isSecret = isSecretName(name)
  const [, user = '', password = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^\s/:@]*)(?::([^\s/]*))?@/i.exec(value) ?? []
  const ofUrl = password !== '' ? password : isSecret ? user : ''
  if (ofUrl !== '') return isPlaceholder(ofUrl) ? [] : [{ name, value: ofUrl }]
  return isSecret && !isPublicValue(value) ? [{ name, value }] : []
}

function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
  return SECRET_NAME.test(words) && !PUBLIC_NAME.test(words)
}

function isPublicValue(value: string): boolean {
  return SETTING.test(value) || (isAbsolute(value) && existsSync(value))
}
