import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { changeValue } from './json.ts'
import type { Random } from './random.ts'

/** The required result of a mutation: a fault of the file, a fault with a line, or any result of the guard. */
type Must = 'fault' | 'line' | 'any'

/** A change made to a scenario. */
export interface Mutation {
  file: string
  must: Must
  /** Releases what the mutation holds open. */
  undo?: () => Promise<void>
}

/** The scenario directory to change, and another one to copy from. */
interface Target {
  dir: string
  other: string
  random: Random
}

type Mutate = (target: Target) => Mutation | undefined | Promise<Mutation | undefined>

const MAYBE_JSON = /\.jsonl?$/
const isLines = (file: string) => file.endsWith('.jsonl')

/** Every kind of mutation, by name. Returns `undefined` when it does not apply to the scenario. */
export const MUTATIONS: Readonly<Record<string, Mutate>> = {
  'flip a byte': onBytes('any', (bytes, random) => {
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    return bytes
  }),
  truncate: onBytes('any', (bytes, random) => bytes.subarray(0, random.below(bytes.length))),
  'insert control bytes': onBytes('any', (bytes, random) => {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from('\u001b]0;x\u0007\u0000'), bytes.subarray(at)])
  }),
  'duplicate a line': onLines((lines, i) => lines.splice(i, 0, lines[i] ?? '')),
  'drop a line': onLines((lines, i) => lines.splice(i, 1)),
  'swap two lines': onLines((lines, i, random) => {
    const j = random.below(lines.length)
    ;[lines[i], lines[j]] = [lines[j] ?? '', lines[i] ?? '']
  }),
  'another type': onValues('any', ({ holder, key, value }, random) => {
    holder[key] = random.pick([null, true, 0, '', [], {}, [value], { value }].filter((v) => typeof v !== typeof value))
  }),
  'a huge number': onValues('any', ({ holder, key }, random) => {
    holder[key] = random.pick([2 ** 53, -1, 1e308, 300_000_000, 0.5])
  }),
  'rename a key': onValues('any', ({ holder, key, value }, random) => {
    delete holder[key]
    holder[random.pick([`${key}x`, '__proto__', 'constructor', 'x'.repeat(100_000)])] = value
  }),
  'rename an op': onInput(({ holder }, random) => {
    holder.op = random.pick(['promt', '', 5, null, 'x'.repeat(5_000_000), '\u001b[2J'])
  }),
  'nest deeply': ({ dir, random }) => {
    const file = pickFile(dir, random, MAYBE_JSON)
    const deep = random.pick(['['.repeat(100_000), '{"a":'.repeat(100_000), `${'['.repeat(5000)}${']'.repeat(5000)}`])
    fs.appendFileSync(join(dir, file), `${deep}\n`)
    return { file, must: 'line' }
  },
  'deep arguments': onValues(
    'line',
    ({ holder }) => {
      holder.arguments = `${'['.repeat(9000)}${']'.repeat(9000)}`
    },
    { names: /^session\.jsonl$/, only: ({ holder, key }) => key === 'arguments' && holder.type !== 'tool-call-delta' },
  ),
  'CRLF line ends': onBytes('line', (bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n')), /\.(jsonl|md)$/),
  'a byte order mark': onBytes('line', (bytes) => Buffer.concat([Buffer.from('\uFEFF'), bytes])),
  'UTF-16': onBytes('fault', (bytes) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${bytes}`, 'utf16le')])),
  'invalid UTF-8': onBytes('fault', (bytes, random) => {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc0, 0xff]), bytes.subarray(at)])
  }),
  'an empty file': onBytes('fault', () => Buffer.alloc(0), MAYBE_JSON),
  'a wrong name': ({ dir, random }) => {
    const from = pickFile(dir, random)
    const file = random.pick([`${from}.bak`, from.toUpperCase(), `a\u001b[31m${from}`, `${'n'.repeat(200)}.jsonl`])
    fs.renameSync(join(dir, from), join(dir, file))
    return { file, must: 'fault' }
  },
  'a FIFO': instead((path) => void execFileSync('mkfifo', [path])),
  'a directory': instead((path) => fs.mkdirSync(join(path, 'deeper'), { recursive: true })),
  'a link out': instead((path) => fs.symlinkSync('/etc/passwd', path)),
  'a link to a device': instead((path) => fs.symlinkSync('/dev/zero', path)),
  'a link to a directory': instead((path) => fs.symlinkSync('..', path)),
  'a link to itself': instead((path) => fs.symlinkSync(path, path)),
  'a sparse file': instead((path) => {
    fs.writeFileSync(path, '')
    fs.truncateSync(path, 3 * 1024 ** 3)
  }),
  'a socket': async ({ dir, random }) => {
    const file = pickFile(dir, random)
    fs.rmSync(join(dir, file))
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(dir, file), resolve))
    return { file, must: 'fault', undo: () => new Promise((resolve) => void server.close(() => resolve())) }
  },
  'a missing file': ({ dir, random }) => {
    const file = pickFile(dir, random)
    fs.rmSync(join(dir, file))
    // The guard cannot know how many logs there were. Without the last one, the replay finds an extra log.
    return { file, must: /^session\.\d/.test(file) ? 'any' : 'fault' }
  },
  'a workspace that loops': ({ dir }) => {
    fs.mkdirSync(join(dir, 'workspace'), { recursive: true })
    fs.symlinkSync('..', join(dir, 'workspace', 'up'))
    fs.symlinkSync('self', join(dir, 'workspace', 'self'))
    return { file: 'workspace/up', must: 'any' }
  },
  'a chunk with another text': onChunk('-delta"', (chunk, random) => {
    chunk[chunk.argumentsDelta === undefined ? 'text' : 'argumentsDelta'] = random.pick(['', 'x', '{"'])
  }),
  'a chunk with another id': onChunk('"id":', (chunk) => {
    if (chunk.block) chunk.block.id = 'other'
    else chunk.id = 'other'
  }),
  'a chunk with another index': onChunk('"index"', (chunk, random) => {
    chunk.index = random.pick([7, 1e9, -1])
  }),
  'a chunk with another finish': onChunk('"finish"', (chunk, random) => {
    chunk.reason = { kind: random.pick(['tool-calls', 'max-tokens', 'aborted', 'stop']) }
  }),
  "another scenario's golden": ({ dir, other }) => {
    fs.copyFileSync(join(other, 'stdout.golden.jsonl'), join(dir, 'stdout.golden.jsonl'))
    return { file: 'stdout.golden.jsonl', must: 'any' }
  },
  'a secret': onStrings(MAYBE_JSON, (random) =>
    random.pick([`AKIA${'0123456789ABCDEF'}`, `sk-${'a1b2c3d4'.repeat(4)}`, `ghp_${'a1b2c3d4'.repeat(5)}`]),
  ),
  'a temp path': onStrings(/\.jsonl$/, (random) => random.pick(['/tmp/acp-x/y', '/private/var/folders/a/b'])),
  'a log number': ({ dir, random }) => {
    const file = `session.${random.pick(['3', '1000', '300000000', '9'.repeat(30), '9'.repeat(230)])}.jsonl`
    fs.copyFileSync(join(dir, 'session.jsonl'), join(dir, file))
    return { file: 'session.1.jsonl', must: fs.existsSync(join(dir, 'session.1.jsonl')) ? 'any' : 'fault' }
  },
  'an override session': ({ dir, random }) => {
    const file = 'replay.override.json'
    if (!fs.existsSync(join(dir, file))) return undefined
    const entry = { kind: 'hang', session: random.pick([300_000_000, 1000, 2 ** 53, -1, 0.5]) }
    fs.writeFileSync(join(dir, file), JSON.stringify([entry]))
    return { file, must: 'fault' }
  },
}

function pickFile(dir: string, random: Random, names = /./): string {
  const files = fs.readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile())
  return random.pick(
    files
      .map(({ name }) => name)
      .filter((name) => names.test(name))
      .sort(),
  )
}

function onBytes(must: Must, change: (bytes: Buffer, random: Random) => Buffer, names?: RegExp): Mutate {
  return ({ dir, random }) => {
    const file = pickFile(dir, random, names)
    fs.writeFileSync(join(dir, file), change(fs.readFileSync(join(dir, file)), random))
    return { file, must }
  }
}

function onLines(change: (lines: string[], at: number, random: Random) => void): Mutate {
  return onBytes('any', (bytes, random) => {
    const lines = bytes.toString().split('\n')
    change(lines, random.below(lines.length), random)
    return Buffer.from(lines.join('\n'))
  })
}

type Change = Parameters<typeof changeValue>[3]
type Options = Parameters<typeof changeValue>[1]

function onValues(
  must: Must,
  change: (place: Parameters<Change>[0], random: Random) => void,
  { names = MAYBE_JSON, ...options }: Omit<Options, 'lines'> & { names?: RegExp } = {},
): Mutate {
  return ({ dir, random }) => {
    const file = pickFile(dir, random, names)
    const before = fs.readFileSync(join(dir, file), 'utf8')
    const text = changeValue(before, { ...options, lines: isLines(file) }, random, (place) => change(place, random))
    if (text === undefined) return undefined
    fs.writeFileSync(join(dir, file), text)
    return { file, must }
  }
}

function onInput(change: (place: Parameters<Change>[0], random: Random) => void): Mutate {
  return onValues('fault', change, { names: /^input\.json$/, only: ({ key }) => key === 'op' })
}

function onStrings(names: RegExp, text: (random: Random) => string): Mutate {
  // Line 1 of a log is the header, which contains no path of a run.
  return onValues(
    'fault',
    ({ holder, key, value }, random) => {
      holder[key] = `${value} ${text(random)}`
    },
    { names, from: names.test('input.json') ? 0 : 1, only: ({ value }) => typeof value === 'string' },
  )
}

type LooseChunk = Record<string, unknown> & { block?: Record<string, unknown> }

/** Changes a chunk of the log that has text. */
function onChunk(text: string, change: (chunk: LooseChunk, random: Random) => void): Mutate {
  return onValues('any', ({ value }, random) => change(value as LooseChunk, random), {
    names: /^session\.jsonl$/,
    only: ({ key, value }) => key === 'chunk' && JSON.stringify(value).includes(text),
  })
}

/** Replaces a file with something else. */
function instead(make: (path: string) => void): Mutate {
  return ({ dir, random }) => {
    const file = pickFile(dir, random)
    fs.rmSync(join(dir, file))
    make(join(dir, file))
    return { file, must: 'fault' }
  }
}
