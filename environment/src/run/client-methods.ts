import { isAbsolute, relative, sep } from 'node:path'
import { FileRefusedError, readRegularText, writeRegularFile } from '../io/regular-file.ts'
import { inspect } from '../scenario-error.ts'
import type { Response } from './message.ts'
import type { Answer } from './peer.ts'
import type { Permissions } from './permissions.ts'

/** Longer files are refused, with an error that says so. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** Answers the agent's requests: permissions, and reads and writes of files in the scenario's working directory. */
export function clientMethods(cwd: string, permissions: Permissions): Answer {
  return (method, params) => {
    switch (method) {
      case 'session/request_permission':
        return permissions.answer(params)
      case 'fs/read_text_file':
        return inside(cwd, params, (path) => {
          const text = readRegularText(path, { maxBytes: MAX_FILE_BYTES, within: cwd })
          if (text === undefined) return { error: { code: -32002, message: `Resource not found: ${path}` } }
          return { result: { content: cutLines(text, params) } }
        })
      case 'fs/write_text_file':
        return inside(cwd, params, (path) => {
          const { content } = params
          if (typeof content !== 'string') return invalidParams(`content is not a string: ${inspect(content)}`)
          writeRegularFile(path, content, { within: cwd })
          return { result: null }
        })
      default:
        return { error: { code: -32601, message: `Method not found: ${method}` } }
    }
  }
}

function inside(cwd: string, { path }: Record<string, unknown>, run: (path: string) => Response): Response {
  if (typeof path !== 'string' || !isAbsolute(path) || !isBelow(cwd, path)) {
    return invalidParams(`path is not in the working directory: ${inspect(path)}`)
  }
  try {
    return run(path)
  } catch (error) {
    if (error instanceof FileRefusedError) return invalidParams(error.message)
    return { error: { code: -32603, message: `Internal error: ${error instanceof Error ? error.message : error}` } }
  }
}

function isBelow(dir: string, path: string): boolean {
  const way = relative(dir, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function invalidParams(problem: string): Response {
  return { error: { code: -32602, message: `Invalid params: ${problem}` } }
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
