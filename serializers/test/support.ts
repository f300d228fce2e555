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
