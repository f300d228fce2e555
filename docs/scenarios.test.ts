import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..')
const FIXTURES = join(ROOT, '__fixtures__')
const page = readFileSync(join(__dirname, 'scenarios.md'), 'utf8')
const schema = JSON.parse(readFileSync(join(ROOT, 'environment/schema/input.schema.json'), 'utf8'))

test('the table of steps lists every op of the schema, in its order', () => {
  const { oneOf } = schema.properties.steps.items
  const ops: string[] = oneOf.map(({ properties }: { properties: { op: { const: string } } }) => properties.op.const)
  expect(opsOf(section('## Steps'))).toEqual(ops)
})

test('the table of steps has every key of a step, and no other', () => {
  const { oneOf } = schema.properties.steps.items
  const keys = oneOf.map(({ properties: { op, ...others } }: StepSchema) => [op.const, ...Object.keys(others).sort()])
  const rows = rowsOf(section('## Steps')).map(([op, given]) => [...namesIn(op), ...namesIn(given).sort()])
  expect(rows).toEqual(keys)
})

interface StepSchema {
  properties: { op: { const: string } } & Record<string, unknown>
}

test('the page names every key of input.json', () => {
  for (const key of Object.keys(schema.properties))
    expect(section('## Other keys of `input.json`')).toContain(`| \`${key}\` |`)
})

test.each([
  ['## Permissions', schema.properties.permissions.items.anyOf],
  ['## Requests of the agent', [schema.properties.answers.items]],
])('the section "%s" names every key of an answer', (heading, variants: { properties: object }[]) => {
  const keys = variants.flatMap(({ properties }) => Object.keys(properties))
  expect(keys.filter((key) => !new RegExp(`["\`]${key}["\`]`).test(section(heading)))).toEqual([])
})

test('the README of the fixtures lists the scenarios by kind: recorded, without a model, authored', () => {
  const paragraphs = readFileSync(join(FIXTURES, 'README.md'), 'utf8').split('\n\n')
  const listed = paragraphs.map((text) => [...text.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name))
  const kinds = listed.map((names) => names.filter((name) => existsSync(join(FIXTURES, name, 'input.json'))))
  const all = readdirSync(FIXTURES).filter((name) => existsSync(join(FIXTURES, name, 'input.json')))
  const of = (kind: string) => all.filter((name) => kindOf(name) === kind)
  expect(kinds.filter((names) => names.length > 0).map((names) => names.sort())).toEqual([
    of('recorded'),
    of('without a model'),
    of('authored'),
  ])
})

function kindOf(name: string): string {
  if (existsSync(join(FIXTURES, name, 'replay.override.json'))) return 'authored'
  const log = readFileSync(join(FIXTURES, name, 'session.jsonl'), 'utf8')
  return log.includes('"type":"assistant/chunk"') ? 'recorded' : 'without a model'
}

/** The text of the page from a heading to the next one of the same level. */
function section(heading: string): string {
  const [, text = ''] = page.split(`${heading}\n`)
  return text.split(/^## /m)[0] ?? ''
}

/** The first column of each row; one row may hold several ops. */
function opsOf(text: string): string[] {
  return rowsOf(text).flatMap(([op]) => namesIn(op))
}

/** The cells of each row of a table, without its head. */
function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split('|').slice(1))
}

function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}
