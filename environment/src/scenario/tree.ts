import { TextDecoder } from 'node:util'

/** The text of a file, or its bytes when they are not UTF-8. */
export type FileContent = string | Uint8Array

/** One directory of fixtures, in memory: paths inside the directory, with `/`, to contents. */
export interface ScenarioFiles {
  name: string
  files: ReadonlyMap<string, FileContent>
  /** The paths of its directories. */
  directories?: ReadonlySet<string> | undefined
  /** What is there and could not be read, by its path, with the reason: `is a FIFO, not a regular file`. */
  refused?: ReadonlyMap<string, string> | undefined
}

/** A fixtures directory, in memory. */
export interface FixtureTree {
  /** What the directory is called in messages: `__fixtures__`. */
  root: string
  scenarios: readonly ScenarioFiles[]
  /** The names of the files directly in the directory. */
  loose: readonly string[]
  /** What directly in it could not be read, by its name; the empty name is the directory itself. */
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
 * The text of a file that is there and is text, with LF line ends and no byte order mark: the guard reports these by
 * themselves, once.
 */
export function textOf(files: ScenarioFiles['files'], path: string): string | undefined {
  const content = files.get(path)
  return typeof content === 'string' ? content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n') : undefined
}

/** The lines of a text, with any line ends; a last line end begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
