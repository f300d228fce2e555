import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import * as ts from 'typescript'

const ROOT = join(__dirname, '..')

/** Below these, each directory is a room. */
const DIVIDED = /^(?:environment|serializers)\/src\//

/** Below these, each subdirectory is one room, with all that is in it. */
const SHELVES: readonly string[] = ['environment', 'examples', 'packages']

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|cjs|mjs|yml)$/.test(file) && /^(?!docs\/).+\//.test(file) && !/\/test\//.test(file))
  .filter((file) => ts.sys.fileExists(join(ROOT, file)))

test('the table of rooms lists every room, and what each imports', () => {
  expect(printed(tableOf(read('docs/architecture.md')))).toEqual(printed(measure()))
})

type Rooms = ReadonlyMap<string, ReadonlySet<string>>

/** One line per room, so that a difference shows the room and its imports. */
function printed(rooms: Rooms): string[] {
  return [...rooms].map(([room, imports]) => `${room}: ${[...imports].sort().join(', ') || '–'}`).sort()
}

/** The first and the last column of the table. */
function tableOf(text: string): Rooms {
  const [, section = ''] = /^## The rooms\n(.*?)^## /ms.exec(text) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.map((row) => {
      const [room = '', , imports = ''] = row.split('|').slice(1)
      return [
        room.trim().replaceAll('`', ''),
        new Set(
          imports
            .split(/[,–]/)
            .map((name) => name.trim())
            .filter(Boolean),
        ),
      ]
    }),
  )
}

function measure(): Rooms {
  const packages = packagesByName()
  const rooms = new Map<string, Set<string>>(files.map((file) => [roomOf(file), new Set()]))
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      const target = specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : packages.get(specifier)
      const room = target === undefined ? undefined : roomOf(target)
      if (room !== undefined && room !== roomOf(file)) rooms.get(roomOf(file))?.add(nameOf(room))
    }
  }
  return rooms
}

/** The room of a file: `environment/src/child`, `packages/acp`, `e2e` … */
function roomOf(file: string): string {
  if (DIVIDED.test(file)) return dirname(file)
  const [top = '', second = ''] = file.split('/')
  return SHELVES.includes(top) ? `${top}/${second}` : top
}

/** The name of an imported room in the table: without the common start of its path. */
function nameOf(room: string): string {
  return room
    .replace(/^environment\/src\/|^packages\/|^examples\//, '')
    .replace(/^(environment|serializers)\/src/, '$1')
}

function importsOf(file: string): string[] {
  const text = read(file)
  // A config of the agent names its plugins.
  if (file.endsWith('.yml')) return [...text.matchAll(/\bname: "(.+)"/g)].flatMap(([, name]) => name ?? [])
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** Our packages' entry files, by import specifier. */
function packagesByName(): Map<string, string> {
  const manifests = execFileSync('git', ['ls-files', '*/package.json'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return new Map(
    manifests.filter(Boolean).flatMap((manifest) => {
      const { name, exports = {} } = JSON.parse(read(manifest))
      const entries = typeof exports === 'string' ? { '.': exports } : exports
      return Object.entries<string>(entries).map(([key, target]) => [
        join(name, key),
        normalize(join(dirname(manifest), target)),
      ])
    }),
  )
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
