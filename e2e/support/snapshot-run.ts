import type { JestRun } from '@acp-snapshot/testing/project-copy'

/** Jest's arguments to run these scenarios, or all if none is given. */
export function snapshot(...scenarios: string[]): string[] {
  return [...scenarios.map((name) => `__fixtures__/${name}/`), '--selectProjects', 'snapshot']
}

/**
 * Jest's arguments for two workers. With `-w 2` alone, Jest may run a few fast tests in band. With a memory limit it
 * always starts workers.
 */
export const TWO_WORKERS = ['-w', '2', '--workerIdleMemoryLimit=1GB'] as const

/** The names of the scenarios that passed or failed, sorted. */
export function scenariosThat(verdict: 'PASS' | 'FAIL', { output }: JestRun): string[] {
  const lines = output.matchAll(/^(PASS|FAIL) snapshot __fixtures__\/([^/]+)\/input\.json/gm)
  // The summary of a long run lists failing files again.
  const names = [...lines].flatMap(([, word, name]) => (word === verdict && name ? [name] : []))
  return [...new Set(names)].sort()
}

/** Expects that all tests passed. @throws Error with the whole output */
export function expectGreen({ status, output }: JestRun): void {
  if (status !== 0) throw new Error(`expected jest to end with 0, got ${status}:\n${output}`)
}
