import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import * as ts from 'typescript'

const ROOT = join(__dirname, '..')

/** Each directory in these, at any depth, is a room. */
const DIVIDED = /^(?:environment|serializers)\/src\//

/** Each directory in these is a workspace. */
const GROUPS: readonly string[] = ['examples', 'packages']

/** Each directory in these is a room, unless it is divided. */
const SHELVES: readonly string[] = ['environment', ...GROUPS]

const code = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|js|cjs|mjs|yml)$/.test(file))
  .filter((file) => ts.sys.fileExists(join(ROOT, file)))

const sources = code.filter((file) => /^(?!docs\/).+\//.test(file) && !/\/test\//.test(file))

test('the table of rooms lists every room, and what each imports', () => {
  expect(printed(tableOf(read('docs/architecture.md')))).toEqual(printed(measure()))
})

test('no relative import leaves its workspace or top-level directory: others are imported by package name', () => {
  const leaving = code.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => workspaceOf(normalize(join(dirname(file), specifier))) !== workspaceOf(file))
      .map((specifier) => `${file} imports ${specifier}`),
  )
  expect(leaving).toEqual([])
})

test('only the log formats know the format of our session logs', () => {
  const knowing = code
    .filter((file) => file.startsWith('environment/src/'))
    .filter((file) => importsOf(file).some((specifier) => /^@acp-snapshot\/session(?:\/|$)/.test(specifier)))
  expect(knowing.filter((file) => !file.startsWith('environment/src/logs/'))).toEqual([])
  expect(knowing).not.toEqual([])
})

test('only a surface knows the names of its files', () => {
  const NAMES = /['"`](?:session[\w.${}]*\.jsonl|stdout\.golden\.jsonl|[\w-]+\.golden(?:\.\w+|\/)?)/
  const naming = code.filter((file) => file.startsWith('environment/src/') && NAMES.test(withoutComments(read(file))))
  expect(naming.filter((file) => !file.startsWith('environment/src/surfaces/'))).toEqual([])
  expect(naming).not.toEqual([])
})

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

type Rooms = ReadonlyMap<string, ReadonlySet<string>>

/** One line a room, so that a difference names the room and its imports. */
function printed(rooms: Rooms): string[] {
  return [...rooms].map(([room, imports]) => `${room}: ${[...imports].sort().join(', ') || '–'}`).sort()
}

/** What the documentation says: the first and the last column. */
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
  const rooms = new Map<string, Set<string>>(sources.map((file) => [roomOf(file), new Set()]))
  for (const file of sources) {
    for (const specifier of importsOf(file)) {
      const target = specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : packages.get(specifier)
      const room = target === undefined ? undefined : roomOf(target)
      if (room !== undefined && room !== roomOf(file)) rooms.get(roomOf(file))?.add(nameOf(room))
    }
  }
  return rooms
}

/** `environment/src/child` for a file of that directory; `packages/acp`, `e2e` for one anywhere below these. */
function roomOf(file: string): string {
  if (DIVIDED.test(file)) return dirname(file)
  const [top = '', second = ''] = file.split('/')
  return SHELVES.includes(top) ? `${top}/${second}` : top
}

/** The workspace or top-level directory that a file is in. */
function workspaceOf(file: string): string {
  const [top = '', second] = file.split('/')
  if (second === undefined) return '.'
  return GROUPS.includes(top) ? `${top}/${second}` : top
}

/** How the table names a room that is imported: without what all its neighbours begin with. */
function nameOf(room: string): string {
  return room
    .replace(/^environment\/src\/|^packages\/|^examples\//, '')
    .replace(/^(environment|serializers)\/src/, '$1')
}

function importsOf(file: string): string[] {
  const text = read(file)
  // A composition names its plugins.
  if (file.endsWith('.yml')) return [...text.matchAll(/\bname: "(.+)"/g)].flatMap(([, name]) => name ?? [])
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** The main file of each of our packages, by what an import says. */
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
