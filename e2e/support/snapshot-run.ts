import type { JestRun } from '@acp-snapshot/testing/project-copy'

/** Jest's arguments for a run of these scenarios, or of all. */
export function snapshot(...scenarios: string[]): string[] {
  return [...scenarios.map((name) => `__fixtures__/${name}/`), '--selectProjects', 'snapshot']
}

/**
 * Jest's arguments for two workers. With `-w 2` alone it runs few and fast tests in band; with a memory limit it has to
 * have a worker to end.
 */
export const TWO_WORKERS = ['-w', '2', '--workerIdleMemoryLimit=1GB'] as const

/** The names of the scenarios that passed or failed, sorted. */
export function scenariosThat(verdict: 'PASS' | 'FAIL', { output }: JestRun): string[] {
  const lines = output.matchAll(/^(PASS|FAIL) snapshot __fixtures__\/([^/]+)\/input\.json/gm)
  // A failing file is listed again in the summary of a long run.
  const names = [...lines].flatMap(([, word, name]) => (word === verdict && name ? [name] : []))
  return [...new Set(names)].sort()
}

/** Expects that every test of a run passed. @throws Error with all that it printed */
export function expectGreen({ status, output }: JestRun): void {
  if (status !== 0) throw new Error(`expected jest to end with 0, got ${status}:\n${output}`)
}
