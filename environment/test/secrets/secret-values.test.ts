import fc from 'fast-check'
import { localSecrets } from '../../src/secrets/local-secrets.ts'
import { redactValues } from '../../src/secrets/redact.ts'
import { answer, faultsOf, line, log } from '../guard/fixtures.ts'

const VALUE = 'q7~Lw/x"R2+m9'
const secrets = { values: [{ name: 'A_KEY', value: VALUE }] }
const KIND = 'holds the value of A_KEY'

const json = (text: string) => JSON.stringify(text).slice(1, -1)
const hex = (text: string) => Buffer.from(text).toString('hex')
const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'upper case': (value) => value.toUpperCase(),
  'lower case': (value) => value.toLowerCase(),
  hex,
  'upper-case hex': (value) => hex(value).toUpperCase(),
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64 one byte on': (value) => Buffer.from(`x${value}`).toString('base64'),
  'base64 two bytes on': (value) => Buffer.from(`:u${value}:p`).toString('base64'),
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'base64 of UTF-16': (value) => Buffer.from(`x${value}`, 'utf16le').toString('base64'),
  'hex of UTF-16': (value) => Buffer.from(value, 'utf16le').toString('hex'),
  'percent-encoded': encodeURIComponent,
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'JSON in JSON': (value) => json(json(json(value))),
  '\\u escapes': (value) => [...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  '\\u{} escapes': (value) => [...value].map((c) => `\\u{${c.charCodeAt(0).toString(16)}}`).join(''),
  '\\x escapes': (value) => [...value].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join(''),
  'split by a line end': (value) => `${value.slice(0, 5)}\n  ${value.slice(5)}`,
}

describe.each(Object.entries(ENCODINGS))('a value of this machine is found, %s', (_, encode) => {
  test.each(['stdout.golden.jsonl', 'session.jsonl', 'replay.override.json', 'workspace/a'])('in %s', (path) => {
    const faults = faultsOf({ [path]: `{}\n${line(encode(VALUE))}` }, { secrets })
    expect(faults).toContainEqual(expect.stringContaining(`${path}:2: ${KIND}`))
    expect(faults.join()).not.toContain(encode(VALUE))
  })

  test('in the text of a failure', () => {
    const said = redactValues(`stderr: <${encode(VALUE)}> end`, [VALUE])
    expect(said).toMatch(/^stderr: <.{0,8}\[redacted\].{0,8}> end$/s)
  })
})

test.each([
  ['LE', Buffer.from(`a\n${VALUE}`, 'utf16le')],
  ['LE with a byte order mark', Buffer.from(`\uFEFFa\n${VALUE}`, 'utf16le')],
  ['BE', Buffer.from(`a\n${VALUE}`, 'utf16le').swap16()],
  ['BE with a byte order mark', Buffer.from(`\uFEFFa\n${VALUE}`, 'utf16le').swap16()],
])('a value in UTF-16 %s is found', (_, content) => {
  expect(faultsOf({ 'workspace/a': content }, { secrets })).toEqual([expect.stringContaining(`workspace/a:2: ${KIND}`)])
})

test('a value in the name of a workspace file is found, and no message quotes it', () => {
  const name = encodeURIComponent(VALUE)
  const faults = faultsOf({ [`workspace/${name}/a`]: '' }, { secrets })
  expect(faults).toEqual([expect.stringContaining('its name holds the value of A_KEY')])
  expect(faults.join()).not.toContain(name)
})

describe('the rest of a value in a shortened text is removed', () => {
  const long = `q7~Lw/x"R2+m9${'Zk4'.repeat(30)}`

  test.each(Object.entries(ENCODINGS))('%s', (_, encode) => {
    const said = encode(long)
    for (const part of [40, 60]) {
      expect(redactValues(`got "x ${said.slice(0, part)}… (900 characters)`, [long])).not.toContain(
        said.slice(24, part),
      )
      expect(redactValues(`got …${said.slice(-part)}"`, [long])).not.toContain(said.slice(-part, -24))
    }
  })

  test('three letters stay, because they may be a word', () => {
    expect(redactValues('got "q7~…', [long])).toBe('got "q7~…')
  })
})

test('a value of several lines is removed line by line', () => {
  const lines = ['-----BEGIN KEY-----', 'abcdefgh12345678', 'ijklmnop12345678']
  const said = redactValues(lines.map((text) => `  | ${text}`).join('\n'), [lines.join('\n')])
  expect(said).toBe('  | [redacted]\n  | [redacted]\n  | [redacted]')
})

test('a value of 100,000 characters can be searched for', () => {
  const value = 'ab1%2"x~'.repeat(12_500)
  expect(redactValues(`<${value}>`, [value])).toMatch(/^<(\[redacted\])+>$/)
  expect(faultsOf({ 'workspace/a': value }, { secrets: { values: [{ name: 'A_KEY', value }] } })).toHaveLength(1)
})

test.each(Object.entries(ENCODINGS))('a value of eight characters is found, %s', (_, encode) => {
  const short = { values: [{ name: 'A_KEY', value: 'q7~Lw/x2' }] }
  expect(faultsOf({ 'workspace/a': encode('q7~Lw/x2') }, { secrets: short })).toEqual([
    expect.stringContaining(`workspace/a:1: ${KIND}`),
  ])
})

test.each(['percent-encoded', '\\u escapes', '\\u{} escapes', '\\x escapes', 'hex', 'JSON in JSON'])(
  'a value, %s, is taken out to its last character',
  (encoding) => {
    const value = 'q7~L"x/R2+m9?"'
    expect(redactValues(`<${ENCODINGS[encoding]?.(value)}>`, [value])).toMatch(/^<\[redacted\]\\*>$/)
  },
)

test.each([
  ['p4ss%2Fw0rd-1', 'p4ss/w0rd-1'],
  ['line 1\\nline 2', 'line 1\nline 2'],
  ['p4ss\\u002fw0rd', 'p4ss/w0rd'],
])('the value %j is found with its escapes decoded', (value, text) => {
  const escaped = { values: [{ name: 'A_KEY', value }] }
  expect(faultsOf({ 'workspace/a': text }, { secrets: escaped })).toEqual([expect.stringContaining(KIND)])
  expect(redactValues(`<${text}>`, [value])).toBe('<[redacted]>')
})

test('a value that differs in one letter is not found', () => {
  expect(faultsOf({ 'workspace/a': VALUE.replace('L', 'M') }, { secrets })).toEqual([])
})

test.each(['        ', '%20%20%20%20', '\\n\\n\\n\\n'])(
  'a value of white space is in no file without it: %j',
  (value) => {
    const blank = { values: [{ name: 'A_KEY', value }] }
    expect(faultsOf({ 'workspace/a': 'a  b\n\n\n\n\n\n\nc' }, { secrets: blank })).toEqual([])
  },
)

describe('a value in two pieces is found', () => {
  const [start, end] = [VALUE.slice(0, 6), VALUE.slice(6)]
  const deltas = [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text: `It is ${start}` },
    { type: 'text-delta', index: 0, text: `${end}.` },
    { type: 'finish', reason: { kind: 'stop' } },
  ]

  test('of a session log', () => {
    expect(faultsOf({ 'session.jsonl': log(deltas) }, { secrets })).toContainEqual(
      expect.stringContaining(`session.jsonl:5: ${KIND}`),
    )
  })

  test.each([0, 2])('of an override indented by %d', (indent) => {
    const override = JSON.stringify([{ kind: 'chunks', chunks: deltas }], null, indent)
    const at = override.slice(0, override.indexOf(start)).split('\n').length
    expect(faultsOf({ 'replay.override.json': `${override}\n` }, { secrets })).toContainEqual(
      expect.stringContaining(`replay.override.json:${at}: ${KIND}`),
    )
  })

  test('of a golden, with a frame of another kind in between', () => {
    const update = (sessionUpdate: string, text: string) =>
      line({ params: { sessionId: 's', update: { sessionUpdate, content: { type: 'text', text } } } })
    const golden =
      update('agent_message_chunk', start) + update('agent_thought_chunk', 'Hm') + update('agent_message_chunk', end)
    expect(faultsOf({ 'stdout.golden.jsonl': golden }, { secrets })).toEqual([
      expect.stringContaining(`stdout.golden.jsonl:1: ${KIND}`),
    ])
  })

  test('in two chunks, by its shape', () => {
    const chunks = [...answer('sk'), { type: 'text-delta', index: 0, text: `-${'a1'.repeat(12)}` }]
    const both = [chunks[1], chunks[4]].filter((chunk) => chunk !== undefined)
    expect(faultsOf({ 'session.jsonl': log(both) })).toContainEqual(
      expect.stringContaining('session.jsonl:4: holds an API key'),
    )
  })
})

test('a value is found in any encoding, at any place, in any chunks', () => {
  const value = fc.stringMatching(/^[A-Za-z0-9+/~_-]{12,40}$/)
  const encode = fc.constantFrom(...Object.values(ENCODINGS))
  const cuts = fc.array(fc.nat(60), { maxLength: 6 })
  fc.assert(
    fc.property(value, encode, fc.string(), fc.string(), cuts, (secret, encoding, before, after, at) => {
      const text = `${before} ${encoding(secret)} ${after}`
      const bounds = [0, ...[...at].sort((a, b) => a - b), text.length]
      const chunks = bounds
        .slice(1)
        .map((end, i) => ({ type: 'text-delta', index: 0, text: text.slice(bounds[i], end) }))
      const faults = faultsOf(
        { 'session.jsonl': log(chunks) },
        { secrets: { values: [{ name: 'A_KEY', value: secret }] } },
      )
      expect(faults).toContainEqual(expect.stringContaining(KIND))
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['DATABASE_URL', 'postgres://app:s3cr3t-db@db.test/app', 's3cr3t-db'],
  ['REDIS_URL', 'redis://:s3cr3t-db@cache.test', 's3cr3t-db'],
  ['SENTRY_DSN', 'https://0123456789abcdef@o1.sentry.test/2', '0123456789abcdef'],
  ['HTTPS_PROXY', 'http://zoe:s3cr3t-db@proxy.test:3128', 's3cr3t-db'],
  ['PGPASSWORD', 's3cr3t-db', 's3cr3t-db'],
  ['MYSQL_PWD', 's3cr3t-db', 's3cr3t-db'],
  ['GH_PAT', 's3cr3t-db', 's3cr3t-db'],
  ['SMTP_PASS', 's3cr3t-db', 's3cr3t-db'],
  ['AWS_SECRET_ACCESS_KEY', '/wJalrXUtnFEMI/K7MDENG', '/wJalrXUtnFEMI/K7MDENG'],
  ['REGISTRY_AUTH', 's3cr3t-db', 's3cr3t-db'],
  ['SITE_COOKIE', 's3cr3t-db', 's3cr3t-db'],
  ['SITE_SESSION', 's3cr3t-db', 's3cr3t-db'],
  ['clientSecret', 's3cr3t-db', 's3cr3t-db'],
  ['LDAP_PASSWD', 's3cr3t-db', 's3cr3t-db'],
  ['GPG_PASSPHRASE', 's3cr3t-db', 's3cr3t-db'],
  ['AWS_CREDENTIALS', 's3cr3t-db', 's3cr3t-db'],
  ['AZURE_STORAGE_CONNECTION_STRING', 's3cr3t-db', 's3cr3t-db'],
  ['TEAM_WEBHOOK_URL', 'https://hooks.test/s3cr3t-db', 'https://hooks.test/s3cr3t-db'],
])('finds the secret of %s', (name, value, secret) => {
  expect(localSecrets({ [name]: value }).values).toEqual([{ name, value: secret }])
})

test.each([
  ['PWD', '/work/of/zoe'],
  ['OLDPWD', '/work/of/zoe'],
  ['SSH_AUTH_SOCK', '/run/user/1/agent'],
  ['XDG_SESSION_ID', 'c12345'],
  ['XDG_SESSION_TYPE', 'wayland'],
  ['DESKTOP_SESSION', 'plasma-wayland'],
  ['TOKEN_LIMIT', '4096000'],
  ['USE_AUTH', 'true'],
  ['GPG_KEY', __filename],
  ['SSH_KEY_PATH', '/nowhere/id_rsa'],
  ['DATABASE_URL', 'postgres://postgres:postgres@localhost'],
  ['HOMEPAGE_URL', 'https://example.com:8080/@scope'],
  ['COMPAT', 'some-value-of-it'],
])('finds no secret in %s=%s', (name, value) => {
  expect(localSecrets({ [name]: value }).values).toEqual([])
})
