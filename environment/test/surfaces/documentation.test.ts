import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Action } from '../../src/action.cjs'
import type { Surface } from '../../src/surfaces/surface.ts'
import { surfaces } from '../../src/surfaces/surfaces.ts'

const page = (name: string) => readFileSync(join(__dirname, '../../..', name), 'utf8')
const rows = (text: string) => text.split('\n').filter((line) => line.startsWith('|'))

test('the documented table of surfaces matches the list', () => {
  const [, section = ''] = /^## What writes what\n(.*?)^## /ms.exec(page('docs/recording.md')) ?? []
  expect(rows(section).slice(2)).toEqual(surfaces.map(rowOf))
})

test.each(surfaces.map((surface) => [surface.title, surface] as const))(
  'the README lists the files of the %s',
  (_, { files }) => {
    const [file = ''] = files.label.split(/[ ,]/)
    expect(rows(page('README.md')).filter((row) => row.startsWith(`| \`${file}\``))).toHaveLength(1)
  },
)

function rowOf(surface: Surface): string {
  const cells = (['verify', 'update', 'refresh', 'record'] as const).map((action) => cellOf(surface, action))
  return `| ${[surface.title, named(surface.files.label), ...cells].join(' | ')} |`
}

function named(label: string): string {
  return label.replace(/[\w.-]+\.(?:jsonl|json|md)|[\w.]+\//g, '`$&`')
}

function cellOf({ writtenBy, rewrittenBy = [], createdWhenMissing }: Surface, action: Action): string {
  if (rewrittenBy.includes(action)) return "writes; the model's part stays"
  if (writtenBy.includes(action)) return 'writes'
  return createdWhenMissing ? 'compares; writes a new one' : 'compares'
}
