import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..')
const page = readFileSync(join(__dirname, 'fixtures.md'), 'utf8')
const schema = JSON.parse(readFileSync(join(ROOT, 'environment/schema/input.schema.json'), 'utf8'))

test('the table of steps lists every op of the schema, in its order', () => {
  const { oneOf } = schema.properties.steps.items
  const ops: string[] = oneOf.map(({ properties }: { properties: { op: { const: string } } }) => properties.op.const)
  expect(opsOf(section('## Steps'))).toEqual(ops)
})

test('the page names every key of input.json', () => {
  for (const key of Object.keys(schema.properties))
    expect(section('## Other keys of `input.json`')).toContain(`| \`${key}\` |`)
})

/** The text of the page from a heading to the next one of the same level. */
function section(heading: string): string {
  const [, text = ''] = page.split(`${heading}\n`)
  return text.split(/^## /m)[0] ?? ''
}

/** The first column of each row; one row may hold several ops. */
function opsOf(text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, op = '']) => op))
}
