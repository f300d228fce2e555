import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { recover } from '../../src/io/journal.cjs'
import { STAGING } from '../../src/scenario/files.ts'
import { makeMemoryDir } from './memory-dir.ts'

const WRITERS = ['a', 'b', 'c']
/** Set by `npm run stress`, which makes more kills. */
const STRESS = process.env.STRESS === '1'
const KILLS = STRESS ? 201 : 39

let root: string
let dir: string

beforeEach(() => {
  root = makeMemoryDir('kills-test-')
  dir = join(root, 'x')
  fs.mkdirSync(dir)
})

afterEach(() => {
  fs.rmSync(root, { recursive: true })
})

/** The two sets of a writer. Each set has a file that the other one removes. */
function setsOf(writer: string): Record<string, string | null>[] {
  const many = (text: string) => Array.from({ length: 60 }, (_, i) => [`session.${i + 1}.jsonl`, text])
  return [1, 2].map((n) => {
    const text = `${writer}${n}\n`
    const pins = Object.fromEntries(WRITERS.flatMap((w) => [1, 2].map((m) => [`pin-${w}${m}`, null])))
    return {
      ...pins,
      ...Object.fromEntries(WRITERS.flatMap((w) => [1, 2].map((m) => [`tree/${w}${m}/leaf`, null]))),
      'session.jsonl': text.repeat(500),
      // The first set has a file where the second one has a directory.
      'tree/odd': n === 1 ? text : null,
      'tree/odd/deep': n === 2 ? text : null,
      [`tree/${writer}${n}/leaf`]: text,
      ...Object.fromEntries(many(text)),
      [`pin-${writer}${n}`]: text,
    }
  })
}

function content(): Record<string, string> {
  const files = fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((file) => join(file.parentPath, file.name))
  return Object.fromEntries(paths.map((path) => [relative(dir, path), fs.readFileSync(path, 'utf8')]))
}

test(`${KILLS} kills among three committing processes leave no mix, and no journal`, async () => {
  const wholes = WRITERS.flatMap(setsOf).map((set) =>
    Object.fromEntries(Object.entries(set).filter(([, text]) => text !== null)),
  )
  let cut = 0
  for (let round = 0; round < KILLS / WRITERS.length; round++) {
    // Every other round kills as soon as a journal is ready, since few random moments fall there.
    const moment = round % 2 === 0 ? () => delay(Math.random() * 30) : untilReady
    await Promise.all(WRITERS.map((writer) => killedWriter(writer, moment)))
    if (isReady()) cut++
    expect(recover(root, STAGING)).toEqual(new Map())
    const kind = wholes.findIndex((whole) => isDeepStrictEqual(whole, content()))
    expect({ round, kind }).not.toHaveProperty('kind', -1)
    expect(fs.readdirSync(root)).toEqual(['x'])
  }
  if (STRESS) process.stdout.write(`${JSON.stringify({ kills: KILLS, rounds: KILLS / WRITERS.length, cut })}\n`)
  // Otherwise no kill interrupted a commit, and the test proves nothing.
  expect(cut).toBeGreaterThan(0)
})

/** Starts a writer, and kills it some time after its first commit. */
async function killedWriter(writer: string, moment: () => Promise<void>): Promise<void> {
  const program = join(__dirname, 'journal-committer.cjs')
  const child = spawn(process.execPath, [program, dir, STAGING, JSON.stringify(setsOf(writer))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exit])
  child.stdout.resume()
  await moment()
  child.kill('SIGKILL')
  expect(await exit).toEqual([null, 'SIGKILL'])
}

async function untilReady(): Promise<void> {
  while (!isReady()) await immediate()
}

function isReady(): boolean {
  return fs.readdirSync(root).some((name) => name.endsWith('.ready'))
}
