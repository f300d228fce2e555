import { GOLDEN, TOOLS_PIN } from '../files.ts'
import { linesOf, type ScenarioFiles, textOf } from '../tree.ts'
import type { Report } from './report.ts'

/** Checks that goldens that hold JSON do. The messages quote nothing: a golden may hold what nobody should read in CI. */
export function checkGoldens(files: ScenarioFiles['files'], report: Report): void {
  for (const [i, line] of linesOf(textOf(files, GOLDEN) ?? '').entries()) {
    if (!isJson(line)) report(GOLDEN, 'is not JSON; each line of a transcript is one value', i + 1)
  }
  const tools = textOf(files, TOOLS_PIN)
  if (tools !== undefined && !isJson(tools)) report(TOOLS_PIN, 'is not JSON')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
