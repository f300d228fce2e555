import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { type Case, changesNothing, copyPin, describeCase, makeCase } from './case.ts'

/** What of Jest's `--json` report is looked at. */
interface JestReport {
  testResults: { name: string; status: string; message: string }[]
}

/** Jest's own file map reads each .jsonl whole, and ends before any test when one has more than 512 MB. */
const NOT_FOR_JEST = 'a sparse file'

/** A line of a stack that leads into our own files. The one in `setup.ts` is where Jest shows a matcher's difference. */
const OURS = /^\s+at .*\b(?:environment|serializers|packages)\/(?!src\/setup\.ts).*\.[cm]?[jt]s:\d+/m

/**
 * Runs mutated fixtures in one real run of Jest, over a copy of this project: what the guard lets through is replayed
 * against the example agent. Each ends in a failure that names its scenario, or green where it means the same.
 */
export async function fuzzReplay(
  seed: number,
  from: number,
  runs: number,
): Promise<{ green: string[]; failed: number; problems: string[] }> {
  const project = new ProjectCopy()
  const cases: Case[] = []
  try {
    rmSync(project.fixtures, { recursive: true })
    copyPin(project.fixtures)
    for (let index = from; index < from + runs; index++) {
      const made = await makeCase(project.fixtures, seed, index, (scenario) => `case-${index}-${scenario}`)
      if (made.kind === NOT_FOR_JEST) rmSync(join(project.fixtures, made.name), { recursive: true })
      else cases.push(made)
    }
    const report = join(project.dir, 'report.json')
    const { status, output } = await project.jest(
      ['--selectProjects', 'snapshot', '--ci', '--json', `--outputFile=${report}`],
      {},
    )
    for (const { mutation } of cases) await mutation.undo?.()
    if ((status !== 0 && status !== 1) || !existsSync(report))
      return { green: [], failed: 0, problems: [`Jest ended with ${status}:\n${output}`] }
    const { testResults }: JestReport = JSON.parse(readFileSync(report, 'utf8'))
    const green: string[] = []
    const problems: string[] = []
    let failed = 0
    for (const made of cases) {
      const what = describeCase(seed, made)
      const result = testResults.find(({ name }) => name.includes(`/${made.name}/`))
      if (!result) {
        // Jest lists no link, no FIFO and no other name; the guard's own run says what is wrong with the directory.
        if (made.mutation.must === 'any') problems.push(`${what}\nwas not run`)
      } else if (result.status === 'passed') {
        green.push(what)
        if (!changesNothing(project.fixtures, made)) problems.push(`${what}\nis green, and means something else`)
      } else {
        failed++
        if (!result.message.includes(made.name)) problems.push(`${what}\nis not named:\n${result.message}`)
        if (OURS.test(result.message)) problems.push(`${what}\nshows a stack of ours:\n${result.message}`)
      }
    }
    const leftovers = await project.leftovers()
    if (leftovers.length > 0) problems.push(`left behind: ${leftovers.join(', ')}`)
    return { green, failed, problems }
  } finally {
    project.remove()
  }
}
