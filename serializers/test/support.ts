import { type KnownPaths, normalizeTranscript, type Volatile } from 'jest-serializer-acp'

/** Normalises frames given as values. */
export function normalize(frames: readonly unknown[], volatile?: Volatile): unknown[] {
  return normalizeTranscript(
    frames.map((frame) => JSON.stringify(frame)),
    volatile,
  ).map((frame): unknown => JSON.parse(frame))
}

/** What becomes of a text in a frame without ids, given the known paths. */
export function normalizeText(text: string, paths: KnownPaths): unknown {
  return normalize([text], { paths })[0]
}

const [GROWTH, BOUND] = [16, 40]

/**
 * Expects that a run of 16 times the size takes less than 40 times the CPU time: it takes 16 times as much when the time
 * grows with the size, and 256 times as much when it grows with its square. A measurement that was disturbed is repeated.
 */
export function expectLinear(run: (size: number) => void, size: number): void {
  const cpuTime = (size: number) => {
    const { user: before } = process.cpuUsage()
    run(size)
    return process.cpuUsage().user - before
  }
  // Compiled, and its pages are there.
  run(size)
  let growth = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && growth >= BOUND; tries++) growth = cpuTime(size * GROWTH) / cpuTime(size)
  expect(growth).toBeLessThan(BOUND)
}
