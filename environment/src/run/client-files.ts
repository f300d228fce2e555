import { isAbsolute } from 'node:path'
import { isBelow, readRegularFile, writeRegularFile } from '../io/regular-file.ts'
import { decode } from '../scenario/tree.ts'
import { inspect } from '../scenario-error.ts'
import type { Response } from './message.ts'
import { countIn, InvalidParamsError, type Params } from './params.ts'
import { resourceNotFound } from './refused.ts'

/** Longer files are refused, with an error that says so. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/**
 * Answers `fs/read_text_file`.
 *
 * @param cwd paths outside of it are refused
 * @throws InvalidParamsError, FileRefusedError
 */
export function readTextFile(cwd: string, params: Params): Response {
  const path = pathIn(params, cwd)
  const bytes = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, within: cwd })
  if (!bytes) return resourceNotFound(path)
  const text = decode(bytes)
  if (typeof text !== 'string') throw new InvalidParamsError(`${path} is not UTF-8 text`)
  return { result: { content: cutLines(text, params) } }
}

/**
 * Answers `fs/write_text_file`.
 *
 * @param cwd paths outside of it are refused
 * @throws InvalidParamsError, FileRefusedError
 */
export function writeTextFile(cwd: string, params: Params): Response {
  const path = pathIn(params, cwd)
  const { content } = params
  if (typeof content !== 'string') throw new InvalidParamsError(`content is not a string: ${inspect(content)}`)
  writeRegularFile(path, content, { within: cwd })
  return { result: null }
}

function pathIn({ path }: Params, cwd: string): string {
  if (typeof path !== 'string' || !isAbsolute(path) || !isBelow(cwd, path) || path.includes('\0')) {
    throw new InvalidParamsError(`path is not in the working directory: ${inspect(path)}`)
  }
  return path
}

/**
 * `line` counts from 1, `limit` is a number of lines; both are optional in ACP. The rest is as in Zed: lines keep their
 * line ends, so parts read one after the other add up to the file; line 0 is the first one; a line after the end is an
 * error.
 */
function cutLines(text: string, params: Params): string {
  const line = Math.max(1, countIn(params, 'line') ?? 1)
  const limit = countIn(params, 'limit')
  const lines = text.split(/(?<=\n)/)
  const last = lines.length + (text.endsWith('\n') ? 1 : 0)
  if (line > last) throw new InvalidParamsError(`line ${line} is after the end of the file, which is line ${last}`)
  return lines.slice(line - 1, limit === undefined ? undefined : line - 1 + limit).join('')
}
