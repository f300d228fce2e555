import { gzipSync } from 'node:zlib'
import { opaqueNote } from '../../src/secrets/opaque-note.ts'
import { SHAPES as SHAPE_PATTERNS } from '../../src/secrets/shapes.ts'
import { faultsOf, line, print, scenario, tree } from '../guard/fixtures.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const key = (...parts: string[]) => parts.join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const header = base64('{"alg":"HS256"}').replace(/=/g, '')
const payload = base64('{"sub":"1234567890"}').replace(/=/g, '')
const letters = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst'

const SHAPES: readonly (readonly [kind: string, secret: string, ...neighbours: string[]])[] = [
  ['an API key (sk-…)', key('sk', `-ant-api03-${letters}`), 'task-list-of-the-whole-project-plan', 'sk-learn'],
  ['an API key (sk-…)', key('sk', `-proj-${letters}`), 'risk-assessment-of-all-the-projects', 'sk-short'],
  ['a JSON Web Token', key(header, '.', payload, '.', letters), `${header}.of.it`, 'eyJhbGciOi'],
  [
    'a password in a URL',
    key('https://zoe:', 'hunter2pass', '@db.test/x'),
    'https://example.com:8080/@scope',
    'https://user:{{password}}@db.test',
  ],
  [
    'a password in a URL',
    key('postgres://app:', 'p4ss%2Fw', '@db.test'),
    'postgres://app@db.test',
    'postgres://user:$PASSWORD@db.test',
  ],
  [
    'a basic-auth header',
    key('Authorization: Bas', `ic ${base64('zoe:hunter2')}`),
    'Basic authentication',
    'Basic understanding',
  ],
  ['a session cookie', key('Cookie: sess', 'ionid=8f7a6b5c4d3e'), 'Cookie: theme=dark', 'Cookie: session={{session}}'],
  [
    'a session cookie',
    key('Set-Cookie: conn', '=s3A8f7a6b5c4d3e2f1; Path=/'),
    'Set-Cookie: lang=en; Path=/',
    'a cookie: flour, butter and sugar',
  ],
  [
    'a private key',
    key('-----BEGIN PGP PRIV', 'ATE KEY BLOCK-----'),
    '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    '-----BEGIN CERTIFICATE-----',
  ],
  ['a private key', key('-----BEGIN PRIV', 'ATE KEY-----'), '-----BEGIN PUBLIC KEY-----', 'BEGIN PRIVATE KEY'],
  ['a Slack token', key('xo', 'xb-123456789012-abcdefghijkl'), 'xoxo-with-love', 'xoxb-short'],
  [
    'a Slack token',
    key('https://hooks.sla', 'ck.com/services/T00000000/B00000000/XXXXYYYY'),
    'https://hooks.slack.com/services/',
    'https://slack.com/help',
  ],
  ['a Slack token', key('xap', 'p-1-A0123456789-0123456789-abcdef'), 'xapp-one', 'xapp-1-short'],
  ...['a', 'e', 'o', 'p', 'r', 's'].map(
    (letter) => ['a Slack token', key('xo', `x${letter}-123456789012`), 'xoxo-short'] as const,
  ),
  ['a Google key', key('AI', `za${letters.slice(0, 35)}`), 'AIzaShort', 'AIza{{key}}'],
  ['a Google key', key('ya', `29.${letters}`), 'ya29.short', 'maya29.abc'],
  ['a Google key', key('GOC', `SPX-${letters.slice(0, 28)}`), 'GOCSPX-short', 'GOCSPX-'],
  ['a GitLab token', key('gl', `pat-${letters.slice(0, 20)}`), 'glpat-short', 'gl-patterns-of-the-whole-project'],
  ...['dt', 'rt', 'ptt', 'cbt'].map(
    (kind) => ['a GitLab token', key('gl', `${kind}-${letters.slice(0, 20)}`), 'glxt-patterns-of-the-project'] as const,
  ),
  ...['o', 'u', 's', 'r'].map(
    (letter) => ['a GitHub token', key('gh', `${letter}_${letters.slice(0, 36)}`), 'gho_short'] as const,
  ),
  ['an AWS access key', key('AS', 'IAABCDEFGHIJKLMNOP'), 'ASIAPACIFICREGION', 'AKIA-ABCDEFGHIJKL'],
  ['a Stripe key', key('whs', `ec_${letters.slice(0, 24)}`), 'whsec_short', 'whsec_{{secret}}'],
  [
    'a Google key',
    key('"private_', `key_id": "${'0123456789'.repeat(4)}"`),
    '"private_key_id": "{{keyId}}"',
    'private_key_id',
  ],
  [
    'an npm token',
    key('np', `m_${letters.slice(0, 36)}`),
    'npm_config_user_agent_of_the_whole_project',
    'npm_lifecycle_event',
  ],
  ['a Stripe key', key('sk', `_live_${letters.slice(0, 24)}`), 'sk_live_short', 'task_live_updates_of_the_project'],
  ['a Stripe key', key('rk', `_live_${letters.slice(0, 24)}`), 'rk_live_short', 'work_live_updates_of_the_project'],
  [
    'a Hugging Face token',
    key('h', `f_${letters.slice(0, 34)}`),
    'hf_transfer',
    'hf_hub_download_of_the_whole_project',
  ],
  [
    'an AWS secret key',
    key('aws_secret_', `access_key = ${letters.slice(0, 38)}+/`),
    'aws_secret_access_key = $SECRET',
    'aws_secret_access_key',
  ],
  [
    'a bearer token',
    key('Authorization: Bea', 'rer abcdefghijklm'),
    'Authorization: Bearer {{token}}',
    'Bearer authentication',
  ],
  ['a bearer token', key('Bea', `rer ${letters}`), 'Bearer token', 'the bearer of bad news'],
]

test.each(SHAPES)('finds %s: %s', (kind, secret) => {
  expect(faultsOf({ 'stdout.golden.jsonl': line({ text: `x ${secret}` }) })).toEqual([
    expect.stringContaining(`stdout.golden.jsonl:1: holds ${kind}; `),
  ])
})

test.each(SHAPES.flatMap(([kind, , ...neighbours]) => neighbours.map((text) => [kind, text])))(
  'not %s: %s',
  (_, text) => {
    expect(faultsOf({ 'stdout.golden.jsonl': line({ text }) })).toEqual([])
  },
)

test.each(SHAPES)('finds %s behind \\u escapes, percent-encoded, in UTF-16 and in a file name: %s', (kind, secret) => {
  const escaped = [...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const percent = [...secret].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
  const files = {
    'workspace/a': escaped,
    'workspace/b': percent,
    'workspace/c': Buffer.from(`\uFEFF${secret}`, 'utf16le'),
    'workspace/d': Buffer.from(`a\n${secret}`, 'utf16le').swap16(),
  }
  const faults = faultsOf(files)
  expect(faults.map((fault) => fault.split(';')[0])).toEqual([
    `workspace/a:1: holds ${kind}`,
    `workspace/b:1: holds ${kind}`,
    `workspace/c:1: holds ${kind}`,
    `workspace/d:2: holds ${kind}`,
  ])
})

const ODD: Readonly<Record<string, (secret: string) => string | Uint8Array>> = {
  'HTML entities': (secret) => [...secret].map((char) => `&#${char.charCodeAt(0)};`).join(''),
  'hexadecimal HTML entities': (secret) => [...secret].map((char) => `&#x${char.charCodeAt(0).toString(16)};`).join(''),
  'a zero-width space between all letters': (secret) => [...secret].join('\u200b'),
  'a soft hyphen inside': (secret) => `${secret.slice(0, 5)}\u00ad${secret.slice(5)}`,
  'a colour inside': (secret) => `${secret.slice(0, 5)}\u001b[1;31m${secret.slice(5)}`,
  'an escaped colour inside': (secret) => `${secret.slice(0, 5)}\\u001b[0m${secret.slice(5)}`,
  'base64 of JSON': (secret) => base64(JSON.stringify({ some: 'json', secret })),
  'base64 over lines': (secret) => base64(`${'some text, '.repeat(20)}${secret}`).replace(/.{76}/g, '$&\n'),
  'base64 of base64': (secret) => base64(base64(JSON.stringify({ some: 'json', secret }))),
  hex: (secret) => Buffer.from(`some text ${secret}`).toString('hex'),
  gzip: (secret) => gzipSync(`some text\n${secret}`),
}

describe.each(Object.entries(ODD))('in %s', (_, encode) => {
  test.each(SHAPES)('finds %s: %s', (kind, secret) => {
    const faults = faultsOf({ 'workspace/a': encode(secret) })
    expect(faults).toEqual([expect.stringMatching(/^workspace\/a:\d: holds /)])
    expect(faults[0]).toContain(`holds ${kind}; `)
  })
})

test.each<[string, Uint8Array]>([
  ['bytes that begin like gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])],
  ['gzip of many megabytes', gzipSync('a'.repeat(64 * 1024 ** 2))],
  ['gzip of gzip', gzipSync(gzipSync('some text'))],
])('%s is not a fault, and the guard reports that it was not searched', (_, content) => {
  expect(faultsOf({ 'workspace/a.gz': content })).toEqual([])
  expect(opaqueNote([scenario('x', { 'workspace/a.gz': content })])).toContain('(not text): x/workspace/a.gz; check')
})

test('finds a shape in the name of a workspace file, and no message quotes it', () => {
  const secret = key('gl', `pat-${letters.slice(0, 20)}`)
  const faults = faultsOf({ [`workspace/a/${secret}.txt`]: '' })
  expect(faults).toEqual([expect.stringContaining('its name holds a GitLab token')])
  expect(faults.join()).not.toContain(secret)
})

test('finds a shape in the name of a scenario', () => {
  const secret = key('gl', `pat-${letters.slice(0, 20)}`)
  const faults = print(tree(scenario(`of-${secret}`)))
  expect(faults).toEqual([expect.stringContaining('__fixtures__/of-[a GitLab token]/: its name holds a GitLab token')])
})

test.each(['123e4567-e89b-12d3-a456-426614174000', 'f'.repeat(64), `sha512-${base64('x'.repeat(64))}`])(
  'an id or a sum is no secret: %s',
  (text) => expect(faultsOf({ 'stdout.golden.jsonl': line({ text }) })).toEqual([]),
)

test.each([
  'sk-',
  'Bearer ',
  'Basic ',
  'eyJ',
  'xoxb-',
  'hooks.slack.com/services/',
  'ya29.',
  'hf_',
  'whsec_',
  'github_pat_',
  'glpat-',
  '://a:',
  'Cookie: sid=',
])('%j and megabytes of letters do not overflow the stack', (prefix) => {
  const text = prefix + 'a1'.repeat(8_000_000)
  for (const { pattern } of SHAPE_PATTERNS) expect(() => text.search(pattern)).not.toThrow()
})

test.each(['/tmp/a', 'sk-a', ' ', '\\', '\0', '/', '%ff'])('megabytes of %j do not overflow the stack', (part) => {
  const text = part + part.slice(-3).repeat(8_000_000 / Math.min(part.length, 3))
  const home = { values: [], home: '/home/zoe' }
  expect(() => faultsOf({ 'system-prompt.golden.md': text }, { secrets: home })).not.toThrow()
})

test.each(['eyJ', 'sk-', '://a:', 'Bearer ', 'cookie: a=b;', '\\', '%25', 'aws_secret_', '-----BEGIN '])(
  'a long line of %j takes linear time',
  (part) => {
    const took = (length: number) => {
      const text = part.repeat(length / part.length)
      const start = process.cpuUsage()
      faultsOf({ 'workspace/a': text })
      return process.cpuUsage(start).user
    }
    took(100_000)
    // A pattern that backtracks takes 100 times as long for 10 times the length: minutes here.
    expect(took(2_000_000)).toBeLessThan(20_000_000)
  },
)
