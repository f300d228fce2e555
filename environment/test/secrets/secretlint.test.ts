import { join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { searchWithSecretlint } from '../../src/secrets/secretlint.ts'
import { answer, type Files, faultsOf, line, log } from '../guard/fixtures.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const key = (...parts: string[]) => parts.join('')
const SENDGRID = key('S', `G.${'a1B2c3D4e5F6g7H8i9J0aa'}.${'a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0abc'}`)
const SHOPIFY = key('shp', `at_${'0123456789abcdef'.repeat(2)}`)
const LINEAR = key('lin_', `api_${'a1B2c3D4e5'.repeat(4)}`)
const GITHUB = key('gh', `p_${'a1B2c3D4e5F6'.repeat(3)}`)

/** The faults without what to do about them. */
const found = (files: Files) =>
  faultsOf(files, { rules: searchWithSecretlint }).map((fault) => fault.replace(/;[^;]*$/, ''))

test('finds kinds that our shapes do not cover, with file, line and rule', () => {
  const files = {
    'stdout.golden.jsonl': `{}\n${line({ text: `x ${SENDGRID}` })}`,
    'session.jsonl': log(answer(`The key is ${SHOPIFY}.`)),
    'workspace/a': `\n\n${LINEAR}\n${LINEAR}\n`,
    [`workspace/${LINEAR}`]: '',
  }
  expect(faultsOf(files)).toEqual([])
  expect(found(files).sort()).toEqual([
    'session.jsonl:5: holds a secret (secretlint: shopify/SHOPIFY_KEY) (and on 1 more line)',
    'stdout.golden.jsonl:2: holds a secret (secretlint: sendgrid/SENDGRID_KEY)',
    'workspace/[a secret (secretlint: linear/LINEAR_API_TOKEN)]: its name holds a secret (secretlint: linear/LINEAR_API_TOKEN)',
    'workspace/a:3: holds a secret (secretlint: linear/LINEAR_API_TOKEN) (and on 1 more line)',
  ])
})

test('decodes escapes and base64 and joins pieces, as our shapes do', () => {
  const escaped = [...SHOPIFY].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')
  const pieces = [SHOPIFY.slice(0, 9), SHOPIFY.slice(9)].map((text) => ({ type: 'text-delta', index: 0, text }))
  const files = {
    'workspace/a': escaped,
    'workspace/b': Buffer.from(`{"key":"${SHOPIFY}"}`).toString('base64'),
    'workspace/c': Buffer.from(SHOPIFY, 'utf16le'),
    'replay.override.json': JSON.stringify([{ kind: 'chunks', chunks: pieces }]),
  }
  const faults = found(files).filter((fault) => fault.includes('secretlint'))
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(
    ['replay.override.json', ...'abc'].map((name) => (name.length > 1 ? name : `workspace/${name}`)),
  )
})

test('reports nothing that our shapes already report', () => {
  expect(found({ 'workspace/a': GITHUB })).toEqual(['workspace/a:1: holds a GitHub token'])
  expect(found({ 'workspace/a': `${GITHUB} ${LINEAR}` })).toEqual([
    'workspace/a:1: holds a GitHub token',
    'workspace/a:1: holds a secret (secretlint: linear/LINEAR_API_TOKEN)',
  ])
})

test('no text can disable the search', () => {
  const text = `/* secretlint-disable */\n# secretlint-disable-next-line\n${SHOPIFY} // secretlint-disable-line\n`
  expect(found({ 'workspace/a': text })).toEqual(['workspace/a:3: holds a secret (secretlint: shopify/SHOPIFY_KEY)'])
})

test('no message quotes a secret or a part of it', () => {
  const faults = found({
    'session.jsonl': `"${'x'.repeat(59)} ${SHOPIFY}"\n`,
    'input.json': `{"${SENDGRID}":1,"steps":[]}`,
  })
  expect(faults.join('\n')).toContain('expected a JSON object, got')
  expect(faults.filter((fault) => fault.includes('secretlint'))).not.toEqual([])
  for (const secret of [SHOPIFY, SENDGRID]) expect(faults.join('\n')).not.toContain(secret.slice(0, 12))
})

test.each([
  'postgres://postgres:postgres@localhost',
  'xoxo-with-love',
  'https://user:{{password}}@db.test',
  'https://user:pass@example.com',
  SENDGRID.slice(3),
])('accepts text that is not a secret: %s', (text) => expect(found({ 'workspace/a': text })).toEqual([]))

test('files that are not text are not searched', () => {
  expect(found({ 'workspace/a': Buffer.from([0xff, 0x20, ...Buffer.from(SHOPIFY), 0x20]) })).toEqual([])
})

test.each([
  ['cannot be loaded', join(__dirname, 'nowhere.mjs'), /Cannot find module/],
  ['ends early', agentFile('exits-3'), /could not be searched/],
])('a search that %s is an error, not a pass', (_, program, problem) => {
  expect(() => searchWithSecretlint(['x'], program)).toThrow(problem)
})

test('thousands of texts need one search, and each result names its text', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => (i % 1000 === 999 ? `key ${SHOPIFY}` : 'x'))
  const rule = 'shopify/SHOPIFY_KEY'
  expect(searchWithSecretlint(texts)).toEqual(
    [999, 1999, 2999, 3999, 4999].map((text) => ({ text, start: 4, end: 4 + SHOPIFY.length, rule })),
  )
})

test('the search of a line of megabytes takes linear time', () => {
  const parts = ['a', 'SG.', 'lin_api_', '-----BEGIN PRIVATE KEY-----', 'sk-ant-api03-', 'ops_', '\n']
  expect(() => searchWithSecretlint(parts.map((part) => part.repeat(3_000_000 / part.length)))).not.toThrow()
})
