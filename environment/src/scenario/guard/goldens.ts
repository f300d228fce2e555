import { parseJsonText } from '@acp-snapshot/session'
import { GOLDEN, OVERRIDE, TOOLS_PIN } from '../files.ts'
import { linesOf, type ScenarioFiles, textOf } from '../tree.ts'
import { andMore, type Report } from './report.ts'

/**
 * Checks that the files that hold JSON do; logs and `input.json` have readers of their own. The messages quote one
 * character at most: a golden may hold what must not be printed in CI.
 *
 * @returns the paths of those that do not
 */
export function checkJson(files: ScenarioFiles['files'], report: Report): Set<string> {
  const broken = new Set<string>()
  if (!checkGolden(textOf(files, GOLDEN), report)) broken.add(GOLDEN)
  for (const path of [OVERRIDE, TOOLS_PIN]) {
    const read = parseJsonText(textOf(files, path) ?? '{}')
    if (!('problem' in read)) continue
    report(path, read.problem, read.line, read.column)
    broken.add(path)
  }
  return broken
}

function checkGolden(text: string | undefined, report: Report): boolean {
  if (text === undefined) return true
  if (text === '') {
    report(
      GOLDEN,
      "is empty; a transcript has at least the agent's answer to initialize. Remove it, and it is written anew",
    )
    return false
  }
  const found = linesOf(text).flatMap((line, i) => {
    const read = parseJsonText(line)
    return 'problem' in read ? [{ ...read, line: i + 1 }] : []
  })
  for (const { problem, line, column } of found.slice(0, MOST_LINES)) {
    report(GOLDEN, `${problem}; each line of a transcript is one value`, line, column)
  }
  const more = found[MOST_LINES]
  if (more) report(GOLDEN, `${more.problem}${andMore(found.length - MOST_LINES)}`, more.line, more.column)
  return found.length === 0
}

/** So many lines that are not JSON are named one by one: a file of another kind has a fault on every line. */
const MOST_LINES = 10
