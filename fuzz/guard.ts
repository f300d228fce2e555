import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { childEnv, createWorkplace } from 'jest-environment-acp/child'
import type { GuardNews } from './guard-child.ts'

/** The time limit for one mutation, generous enough for a busy machine. */
const LONGEST_CASE_MS = 60_000

/** By kind: how many mutations were accepted, and how many had faults. */
type Counts = Map<string, { green: number; faults: number }>

/** Runs the guard on mutated fixtures, in a child process that can be killed when it hangs. */
export async function fuzzGuard(
  seed: number,
  from: number,
  runs: number,
): Promise<{ counts: Counts; problems: string[] }> {
  const counts: Counts = new Map()
  const problems: string[] = []
  const place = createWorkplace()
  const script = "require('./fuzz/guard-child.ts')"
  const child = spawn(
    process.execPath,
    ['-r', 'esbuild-register', '-e', script, '--', `${seed}`, `${from}`, `${runs}`],
    {
      cwd: join(__dirname, '..'),
      env: childEnv({}, place),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  let what = 'the start'
  let left = runs
  const watch = setTimeout(() => {
    problems.push(`${what}\nhangs for ${LONGEST_CASE_MS} ms`)
    child.kill('SIGKILL')
  }, LONGEST_CASE_MS)
  child.on('message', (news: GuardNews) => {
    watch.refresh()
    if (news.type === 'begun') what = news.what
    else {
      left--
      const count = counts.get(news.kind) ?? { green: 0, faults: 0 }
      counts.set(news.kind, count)
      count[news.faults === 0 ? 'green' : 'faults']++
      if (news.problem !== undefined) problems.push(`${what}\n${news.problem}`)
    }
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (...end) => resolve(end)),
  )
  clearTimeout(watch)
  if (problems.length === 0 && left > 0) problems.push(`${what}\nended the guard: code ${code}, signal ${signal}`)
  const leftovers = readdirSync(place.tmp)
  if (problems.length === 0 && leftovers.length > 0) problems.push(`left behind: ${leftovers.join(', ')}`)
  place.remove()
  return { counts, problems }
}
