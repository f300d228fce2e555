import { isPlaceholder } from './placeholder.ts'

/** One kind of secret, its name in messages, and what to do about it. */
export interface Kind {
  what: string
  pattern: RegExp
  advice: string
  /** Decides whether a match is a secret. By default, every match is. */
  accepts?: (match: RegExpMatchArray) => boolean
}

export const REVOKE = 'take it out, and revoke it if it ever left this machine'

/** What separates a name from its value in a header, a field or a variable: `: ` or `": "`. */
const IS = String.raw`\\?["']?[ \t]{0,8}[:=,][ \t]{0,8}\\?["']?[ \t]{0,8}`

const SESSION_COOKIE = /sess|sid|auth|token|jwt|csrf|xsrf|remember/i

/**
 * The known shapes of secrets. Each repetition is bounded, so that the time stays linear and a line of megabytes does not
 * overflow the stack of the regular expression.
 */
export const SHAPES: readonly Kind[] = [
  { what: 'an API key (sk-…)', pattern: /\bsk-[A-Za-z0-9_-]{20,2000}/g, advice: REVOKE },
  {
    what: 'a bearer token',
    pattern: /\b(authorization\\?["']?[ \t]{0,8}[:=,][ \t]{0,8}\\?["']?[ \t]{0,8})?Bearer\s{1,8}([\w.~+/=-]{8,2000})/gi,
    advice: REVOKE,
    accepts: ([, header, token = '']) =>
      !isPlaceholder(token) && (header !== undefined || /\d/.test(token) || token.length >= 24),
  },
  {
    what: 'a basic-auth header',
    pattern: /\bBasic[ \t]{1,8}([A-Za-z0-9+/_-]{6,2000}={0,2})/gi,
    advice: REVOKE,
    accepts: ([, encoded = '']) => {
      const credentials = Buffer.from(encoded.slice(0, 4096), 'base64').toString('latin1')
      return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(credentials)
    },
  },
  {
    what: 'a password in a URL',
    pattern: /:\/\/([^\s/:@"'<>?#]{0,2000}):([^\s/@"'<>]{3,2000})@[\w[{]/g,
    advice: REVOKE,
    accepts: ([, , password = '']) => !isPlaceholder(password),
  },
  {
    what: 'a session cookie',
    pattern: new RegExp(String.raw`\b(?:set-)?cookie${IS}([^\r\n"]{0,4096})`, 'gi'),
    advice: REVOKE,
    accepts: ([, pairs = '']) => pairs.split(/[;,]/).some(isSessionPair),
  },
  {
    what: 'a JSON Web Token',
    pattern: /(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,2000}\.[\w-]{8,2000}/g,
    advice: REVOKE,
  },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, advice: REVOKE },
  {
    what: 'an AWS secret key',
    pattern: new RegExp(`aws.?secret.?(?:access.?)?key${IS}[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])`, 'gi'),
    advice: REVOKE,
  },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,2000}|github_pat_\w{22,2000})/g, advice: REVOKE },
  { what: 'a GitLab token', pattern: /\bgl(?:pat|dt|rt|ptt|cbt)-[\w-]{20,2000}/g, advice: REVOKE },
  {
    what: 'a Slack token',
    pattern:
      /\bxox[abeoprs]-[A-Za-z0-9-]{10,2000}|\bxapp-\d-[A-Za-z0-9-]{10,2000}|hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,2000}/g,
    advice: REVOKE,
  },
  {
    what: 'a Google key',
    pattern: /\bAIza[\w-]{35}|\bya29\.[\w-]{20,2000}|\bGOCSPX-[\w-]{28}|"private_key_id"\s{0,8}:\s{0,8}"[0-9a-f]{40}"/g,
    advice: REVOKE,
  },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}(?!\w)/g, advice: REVOKE },
  {
    what: 'a Stripe key',
    pattern: /\b(?:[sr]k_live_[A-Za-z0-9]{16,2000}|whsec_[A-Za-z0-9+/]{24,2000})/g,
    advice: REVOKE,
  },
  { what: 'a Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,2000}/g, advice: REVOKE },
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g, advice: REVOKE },
]

function isSessionPair(pair: string): boolean {
  const [name = '', value = ''] = pair.split(/=(.*)/s).map((part) => part.trim())
  if (isPlaceholder(value)) return false
  if (SESSION_COOKIE.test(name)) return value.length >= 8
  return /^\S{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value)
}
