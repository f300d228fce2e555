import { isAbsolute, relative, sep } from 'node:path'
import { FileRefusedError, readRegularText, writeRegularFile } from '../io/regular-file.ts'
import { inspect } from '../scenario-error.ts'
import type { Response } from './message.ts'
import { internalError, invalidParams, resourceNotFound } from './refused.ts'

/** Longer files are refused, with an error that says so. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** Answers `fs/read_text_file`. @param cwd paths outside of it are refused */
export function readTextFile(cwd: string, params: Record<string, unknown>): Response {
  return inside(cwd, params, (path) => {
    const text = readRegularText(path, { maxBytes: MAX_FILE_BYTES, within: cwd })
    return text === undefined ? resourceNotFound(path) : { result: { content: cutLines(text, params) } }
  })
}

/** Answers `fs/write_text_file`. @param cwd paths outside of it are refused */
export function writeTextFile(cwd: string, params: Record<string, unknown>): Response {
  return inside(cwd, params, (path) => {
    const { content } = params
    if (typeof content !== 'string') return invalidParams(`content is not a string: ${inspect(content)}`)
    writeRegularFile(path, content, { within: cwd })
    return { result: null }
  })
}

function inside(cwd: string, { path }: Record<string, unknown>, run: (path: string) => Response): Response {
  if (typeof path !== 'string' || !isAbsolute(path) || !isBelow(cwd, path)) {
    return invalidParams(`path is not in the working directory: ${inspect(path)}`)
  }
  try {
    return run(path)
  } catch (error) {
    return error instanceof FileRefusedError ? invalidParams(error.message) : internalError(error)
  }
}

/** Whether a path is a directory, or lies in it. */
export function isBelow(dir: string, path: string): boolean {
  const way = relative(dir, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** `line` counts from 1, `limit` is a number of lines; both are optional in ACP. */
function cutLines(text: string, { line, limit }: Record<string, unknown>): string {
  if (typeof line !== 'number' && typeof limit !== 'number') return text
  const from = typeof line === 'number' ? Math.max(0, line - 1) : 0
  return text
    .split('\n')
    .slice(from, typeof limit === 'number' ? from + limit : undefined)
    .join('\n')
}
