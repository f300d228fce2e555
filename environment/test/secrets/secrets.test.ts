import fc from 'fast-check'
import { guardFixtures } from '../../src/guard/guard-fixtures.ts'
import { localSecrets } from '../../src/secrets/local-secrets.ts'
import { answer, faultsOf, HEADER, line, log, scenario, tree } from '../guard/fixtures.ts'

const REVOKE = 'take it out, and revoke it if it ever left this machine'
/** Put together here, so that no scanner takes this file for a leak. */
const key = (...parts: string[]) => parts.join('')

test.each([
  [key('sk-', 'a1b2c3d4e5f6g7h8i9j0'), 'an API key (sk-…)'],
  [key('authorization: Bear', 'er abc123def456'), 'a bearer token'],
  [key('AKIA', 'ABCDEFGHIJKLMNOP'), 'an AWS access key'],
  [key('ghp_', 'a'.repeat(36)), 'a GitHub token'],
  [key('github_', 'pat_', 'a'.repeat(30)), 'a GitHub token'],
  [key('-----BEGIN RSA PRIV', 'ATE KEY-----'), 'a private key'],
])('text with the shape of a secret is found: %s', (secret, kind) => {
  expect(faultsOf({ 'stdout.golden.jsonl': line({}) + line({ text: `x ${secret}` }) })).toEqual([
    `stdout.golden.jsonl:2: holds ${kind}; ${REVOKE}`,
  ])
})

test.each([
  'sk-short',
  'Bearer of bad news',
  'Bearer {{token}}',
  'Bearer authentication, RFC 6750',
  'ghp_short',
  'task-list-of-the-whole-project-plan',
])('text that is not a secret passes: %s', (text) =>
  expect(faultsOf({ 'stdout.golden.jsonl': line({ text }) })).toEqual([]),
)

test('the value of a secret variable is found, also with JSON escapes', () => {
  const secrets = { values: [{ name: 'TEST_API_KEY', value: 'pass"word' }] }
  const files = { 'session.jsonl': log(answer('it is pass"word')), 'workspace/.env': 'K=pass"word\n' }
  expect(faultsOf(files, { secrets })).toEqual([
    `session.jsonl:5: holds the value of TEST_API_KEY (and on 1 more line); ${REVOKE}`,
    `workspace/.env:1: holds the value of TEST_API_KEY; ${REVOKE}`,
  ])
})

test('a short value is not searched for', () => {
  const secrets = {
    values: [
      { name: 'A_KEY', value: '' },
      { name: 'B_KEY', value: 'PONG' },
    ],
  }
  expect(faultsOf({}, { secrets })).toEqual([])
})

test.each([
  ['/home/zoe', '/home/zoe/x'],
  ['/home/zoe', 'file:///home/zoe'],
  ['/home/zoe', 'a\n/home/zoe.'],
  ['C:\\Users\\zoe', 'C:\\Users\\zoe\\x'],
  ['C:\\Users\\zoe', 'C:/Users/zoe/x'],
])("the user's home directory %s is found in %j", (home, text) => {
  expect(faultsOf({ 'stdout.golden.jsonl': line({ text }) }, { secrets: { values: [], home } })).toEqual([
    "stdout.golden.jsonl:1: holds the user's home directory; use {{home}}",
  ])
})

test.each(['/home/zoela', '/home/zoe-2', '/home/zoe.old', '/mnt/home/zoe', '{{home}}'])(
  'not the home /home/zoe: %s',
  (text) => {
    expect(faultsOf({ 'stdout.golden.jsonl': line({ text }) }, { secrets: { values: [], home: '/home/zoe' } })).toEqual(
      [],
    )
  },
)

test("the user's name is found as a whole word", () => {
  const secrets = { values: [], user: 'zoe' }
  expect(faultsOf({ 'stdout.golden.jsonl': line({ text: 'zoella' }) }, { secrets })).toEqual([])
  expect(faultsOf({ 'stdout.golden.jsonl': line({ text: 'by zoe, today' }) }, { secrets })).toEqual([
    "stdout.golden.jsonl:1: holds the user's name; take it out",
  ])
})

test.each(['jean-luc', 'j.luc', 'DOMAIN\\luc', 'luc$'])('the user name %s is found despite its punctuation', (user) => {
  const secrets = { values: [], user }
  expect(faultsOf({ 'stdout.golden.jsonl': line({ text: 'by jeanxluc' }) }, { secrets })).toEqual([])
  expect(faultsOf({ 'stdout.golden.jsonl': line({ text: `by ${user}, today` }) }, { secrets })).toEqual([
    "stdout.golden.jsonl:1: holds the user's name; take it out",
  ])
})

test('a user name that many machines share is not searched for', () => {
  expect(
    faultsOf({ 'stdout.golden.jsonl': line({ text: 'root' }) }, { secrets: { values: [], user: 'root' } }),
  ).toEqual([])
})

test('a message that quotes a fixture does not quote a secret', () => {
  const secret = key('sk-', 'a1b2c3d4e5f6g7h8i9j0')
  expect(faultsOf({ 'session.jsonl': `${HEADER}"${secret}"\n` })).toEqual([
    `session.jsonl:2: holds an API key (sk-…); ${REVOKE}`,
    'session.jsonl:2: expected a JSON object, got "[an API key (sk-…)]"',
  ])
})

test('no message contains the value of a secret, wherever the secret is', () => {
  const paths = ['input.json', 'session.jsonl', 'stdout.golden.jsonl', 'replay.override.json', 'workspace/a']
  const value = fc.stringMatching(/^[A-Z0-9]{12,20}$/).map((text) => `~${text}`)
  fc.assert(
    fc.property(value, fc.constantFrom(...paths), fc.string(), fc.string(), (secret, path, before, after) => {
      const fixtures = tree(scenario('x', { [path]: `${before}${secret}${after}` }))
      const faults = guardFixtures(fixtures, { secrets: { values: [{ name: 'A_KEY', value: secret }] } })
      expect(faults.map(({ message }) => message).join('\n')).toContain('holds the value of A_KEY')
      expect(JSON.stringify(faults)).not.toContain(secret)
    }),
  )
})

test('the secrets of this machine are the values of variables with secret-looking names', () => {
  const env = {
    DEEPSEEK_API_KEY: 'k',
    GITHUB_TOKEN: 't',
    DB_PASSWORD: 'p',
    PATH: '/bin',
    TOKENIZERS: 'x',
    HOME: '/home/zoe',
    USER: 'zoe',
  }
  expect(localSecrets(env)).toEqual({
    values: [
      { name: 'DEEPSEEK_API_KEY', value: 'k' },
      { name: 'GITHUB_TOKEN', value: 't' },
      { name: 'DB_PASSWORD', value: 'p' },
    ],
    home: '/home/zoe',
    user: 'zoe',
  })
})
