import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = readFileSync(join(__dirname, 'troubleshooting.md'), 'utf8')
const SOURCES = join(__dirname, '..', 'environment', 'src')

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:ts|cjs)$/.test(path))
  .map((path) => readFileSync(join(SOURCES, path), 'utf8').replaceAll("\\'", "'"))

const messages = [...page.matchAll(/^\| `(.+?)` \|/gm)].map(([, message = '']) => message)

test('the page has messages', () => {
  expect(messages.length).toBeGreaterThan(15)
})

test.each(messages)('the message "%s" is one of ours', (message) => {
  expect(sources.some((source) => source.includes(message))).toBe(true)
})
