import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { type Case, changesNothing, copyPin, describeCase, makeCase } from './case.ts'

/** The part of Jest's `--json` report that is used here. */
interface JestReport {
  testResults: { name: string; status: string; message: string }[]
}

/** Jest's file map reads each .jsonl as a whole, and fails before any test when one is larger than 512 MB. */
const NOT_FOR_JEST = 'a sparse file'

/** A stack line in our own files, except in `setup.ts`, where Jest shows a matcher's difference. */
const OURS = /^\s+at .*\b(?:environment|serializers|packages)\/(?!src\/setup\.ts).*\.[cm]?[jt]s:\d+/m

/**
 * Runs mutated fixtures in one real Jest run, over a copy of this project. Fixtures that the guard accepts are replayed
 * against the example agent. Each one must fail with a message that names its scenario, or pass if its meaning is unchanged.
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
        // Jest ignores links, FIFOs and other names; running the guard alone reports what is wrong with the directory.
        if (made.mutation.must === 'any') problems.push(`${what}\nwas not run`)
      } else if (result.status === 'passed') {
        green.push(what)
        if (!changesNothing(project.fixtures, made)) problems.push(`${what}\npassed, although its meaning changed`)
      } else {
        failed++
        if (!result.message.includes(made.name))
          problems.push(`${what}\nfailed with a message that does not name it:\n${result.message}`)
        if (OURS.test(result.message))
          problems.push(`${what}\nfailed with a stack trace of our own files:\n${result.message}`)
      }
    }
    const leftovers = await project.leftovers()
    if (leftovers.length > 0) problems.push(`left behind: ${leftovers.join(', ')}`)
    return { green, failed, problems }
  } finally {
    project.remove()
  }
}
