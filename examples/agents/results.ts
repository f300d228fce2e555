/** What came of one run of a scenario. */
export interface Result {
  agent: string
  scenario: string
  seconds: number
  /** What went wrong; absent if the run is equal to the golden. */
  failure: string | undefined
}

/** A table agent × scenario, with passes, runs and the mean of seconds; and a line for each failure. */
export function tableOf(results: readonly Result[]): string {
  const agents = [...new Set(results.map(({ agent }) => agent))]
  const scenarios = [...new Set(results.map(({ scenario }) => scenario))].sort()
  const cell = (agent: string, scenario: string) =>
    cellOf(results.filter((result) => result.agent === agent && result.scenario === scenario))
  const rows = [
    ['agent', ...scenarios],
    ...agents.map((agent) => [agent, ...scenarios.map((name) => cell(agent, name))]),
  ]
  const failures = results.flatMap(({ agent, scenario, failure }) =>
    failure === undefined ? [] : [`${agent} ${scenario}: ${headlineOf(failure)}`],
  )
  return [aligned(rows), ...failures].join('\n')
}

function cellOf(runs: readonly Result[]): string {
  if (runs.length === 0) return '–'
  const passed = runs.filter(({ failure }) => failure === undefined).length
  const mean = runs.reduce((sum, { seconds }) => sum + seconds, 0) / runs.length
  return `${passed}/${runs.length} ${mean.toFixed(1)}s`
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The line that says what is wrong. In Jest's output it follows the title of the test. */
function headlineOf(failure: string): string {
  const lines = failure.split('\n').map((line) => line.trim())
  const isJest = /^(PASS|FAIL) /.test(lines[0] ?? '')
  const title = isJest ? lines.findIndex((line) => line.startsWith('●')) : -1
  return lines.slice(title + 1).find((line) => line !== '') ?? 'no output'
}
