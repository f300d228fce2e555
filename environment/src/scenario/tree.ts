import { TextDecoder } from 'node:util'

/** The text of a file, or its bytes when they are not UTF-8. */
export type FileContent = string | Uint8Array

/** One directory of fixtures, in memory: paths inside the directory, with `/`, to contents. */
export interface ScenarioFiles {
  name: string
  files: ReadonlyMap<string, FileContent>
  /** The paths of its directories. */
  directories?: ReadonlySet<string> | undefined
  /** The entries that could not be read, by path, with the reason: `is a FIFO, not a regular file`. */
  refused?: ReadonlyMap<string, string> | undefined
}

/** A fixtures directory, in memory. */
export interface FixtureTree {
  /** The name of the directory in messages: `__fixtures__`. */
  root: string
  scenarios: readonly ScenarioFiles[]
  /** The names of the files directly in the directory. */
  loose: readonly string[]
  /** Its unreadable entries, by name, with the reason; the empty name is the directory itself. */
  refused?: ReadonlyMap<string, string> | undefined
}

/** Decodes a file; a byte order mark stays in the text. */
export function decode(bytes: Uint8Array): FileContent {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes
  }
}

/**
 * The text of an existing text file, with LF line ends and without a byte order mark. The guard reports other line ends
 * and byte order marks separately.
 */
export function textOf(files: ScenarioFiles['files'], path: string): string | undefined {
  const content = files.get(path)
  return typeof content === 'string' ? content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n') : undefined
}

/** The lines of a text, with any line ends. A line end at the end of the text starts no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
