import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownKeys, parseOptions } from 'jest-environment-acp/run'

const page = readFileSync(join(__dirname, 'options.md'), 'utf8')

test.each([
  ['# Options', []],
  ['## Variants', ['configs', 'any']],
  ['## A recording', ['record']],
  ['## Deadlines', ['deadlines']],
])('the table under "%s" has a row for every key of the schema, and no other', (heading, path) => {
  const rows = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  expect(rows.flatMap(keysOf).sort()).toEqual(knownKeys(path).sort())
})

test('normalizing.md explains every key of normalize, and of a rule', () => {
  const text = readFileSync(join(__dirname, 'normalizing.md'), 'utf8')
  const keys = [...knownKeys(['normalize']), ...knownKeys(['normalize', 'add', 0])]
  expect(keys.filter((key) => !new RegExp(`\`${key}[\`:]|\\b${key}: `).test(text))).toEqual([])
})

test('the page gives the defaults of the schema', () => {
  const { deadlines, exit, sessionLogs } = parseOptions({ command: 'my-agent' }, __dirname)
  const rows = section('## Deadlines').matchAll(/^\| `(\w+)` \| .*?: ([\d ]+) ms/gm)
  const given = [...rows].map(([, key, ms = '']) => [key, Number(ms.replaceAll(' ', ''))])
  expect(Object.fromEntries(given)).toEqual(deadlines)
  expect(section('# Options')).toContain(`\`'${exit}'\`, the default`)
  expect(section('# Options')).toContain(`\`${sessionLogs}\`, the default`)
})

/** The keys in the first column of a row. */
function keysOf(row: string): string[] {
  return [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, key = '']) => key)
}

/** The text of the page from a heading to the next section. */
function section(heading: string): string {
  const [, text = ''] = page.split(`${heading}\n`)
  return text.split(/^## /m)[0] ?? ''
}
