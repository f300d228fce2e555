import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type KnownPaths, normalizeSessionLogs, normalizeTranscript } from 'jest-serializer-acp'

/** Recordings beside the checkout. They are not part of the project. */
const shared = join(__dirname, '../../shared')
const transcripts = join(shared, 'transcripts')
const corpus = join(shared, 'corpus')

const KINDS = ['gemini-', 'gemini-tool', 'opencode-', 'opencode-tool', 'zed-codex-', 'zed-codex-tool']

if (!existsSync(transcripts) || !existsSync(corpus)) {
  test.skip(`recordings of other agents (no ${transcripts} or ${corpus})`, () => {})
} else {
  describe.each(KINDS)('the three runs of %s', (kind) => {
    const runs = [1, 2, 3].map((n) => readRun(`${kind}${n}`))

    test('normalise to the same text', () => {
      const [first, second, third] = runs.map(({ normalized }) => normalized)
      expect(second).toEqual(first)
      expect(third).toEqual(first)
    })

    test('differ only in volatile values, and nothing else is replaced', () => {
      const before = runs.map(({ frames }) => frames.map(leavesOf))
      const after = runs.map(({ normalized }) => normalized.map(leavesOf))
      before[0]?.forEach((leaves, i) => {
        for (const place of leaves.keys()) {
          if (place === '/id') continue
          const raw = before.map((run) => run[i]?.get(place))
          const withoutPaths = raw.map((leaf, n) => replacePaths(leaf, runs[n]?.run ?? ''))
          const isId = new Set(withoutPaths).size > 1
          const expected = isId ? raw.map(() => expect.stringMatching(/^\{\{\w+Id\}\}$/)) : withoutPaths
          const tokens = after.map((run) => run[i]?.get(place))
          expect({ frame: i + 1, place, raw, tokens }).toEqual({ frame: i + 1, place, raw, tokens: expected })
        }
      })
    })

    test('keep their frames and the order of their keys', () => {
      for (const { frames, normalized } of runs) {
        expect(normalized.map((frame) => [...leavesOf(frame).keys()])).toEqual(
          frames.map((frame) => [...leavesOf(frame).keys()]),
        )
      }
    })

    test('do not change when normalised twice', () => {
      for (const { normalized, paths } of runs) {
        expect(normalizeTranscript(normalized, { paths })).toEqual(normalized)
        expect(normalizeTranscript(normalized)).toEqual(normalized)
      }
    })
  })

  describe.each(readdirSync(corpus).filter((name) => existsSync(join(corpus, name, 'input.json'))))('%s', (name) => {
    const files = readdirSync(join(corpus, name))
    const read = (file: string) => readFileSync(join(corpus, name, file), 'utf8')

    test('has a golden that normalising leaves unchanged', () => {
      const golden = linesOf(read('stdout.golden.jsonl'))
      expect(normalizeTranscript(golden)).toEqual(golden)
    })

    test('has no volatile value in its normalised session logs', () => {
      const logs = ['session.jsonl', ...files.filter((file) => /^session\.\d+\.jsonl$/.test(file)).sort()].map(read)
      const normalized = normalizeSessionLogs(logs)
      for (const log of normalized) {
        expect(log).not.toMatch(/acp-snap-cwd|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|"(time|createdAt)":[1-9]/)
      }
      expect(normalizeSessionLogs(normalized)).toEqual(normalized)
    })

    test('has session logs in which normalising changes only clocks, durations, ids and paths', () => {
      const log = read('session.jsonl')
      const header = JSON.parse(linesOf(log)[0] ?? '') as { id: string; cwd?: string }
      const expected = log
        .replace(/^(.*)"createdAt":\d+/, '$1"createdAt":0')
        .replaceAll(/^(\{"type":"[^"]+","seq":\d+),"time":\d+/gm, '$1,"time":0')
        .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0')
        .replaceAll(header.id, '{{sessionId}}')
        .replaceAll(header.cwd ?? '{{cwd}}', '{{cwd}}')
      expect(normalizeSessionLogs([log])).toEqual([expected])
    })
  })
}

interface Run {
  run: string
  frames: string[]
  paths: KnownPaths
  normalized: string[]
}

/** `/tmp/agents/work/NAME-RUN` is the real path of the cwd: it occurs in a title of opencode. */
function readRun(run: string): Run {
  const frames = linesOf(readFileSync(join(transcripts, `${run}.jsonl`), 'utf8'))
  const cwd = [`/tmp/acp/work/${run}`, `/tmp/agents/work/${run}`]
  const paths = { cwd, home: [`/tmp/acp/home/${run}`], install: ['/tmp/acp/install'] }
  return { run, frames, paths, normalized: normalizeTranscript(frames, { paths }) }
}

/** Replaces paths by plain search, in the few spellings that occur in the recordings. */
function replacePaths(leaf: unknown, run: string): unknown {
  if (typeof leaf !== 'string') return leaf
  return leaf
    .replaceAll(`/tmp/acp/work/${run}`, '{{cwd}}')
    .replaceAll(`tmp/agents/work/${run}`, '{{cwd:relative}}')
    .replaceAll(`/tmp/acp/home/${run}`, '{{home}}')
    .replaceAll('/tmp/acp/install', '{{install}}')
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** The value at each path of a JSON text (`/params/update/title`), in order. */
function leavesOf(json: string): Map<string, unknown> {
  const leaves = new Map<string, unknown>()
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) leaves.set(place, value)
    else for (const [key, child] of Object.entries(value)) visit(child, `${place}/${key}`)
  }
  visit(JSON.parse(json), '')
  return leaves
}
