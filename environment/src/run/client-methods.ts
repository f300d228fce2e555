import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import type { Permission } from '../scenario/input.ts'
import { inspect, StepError } from './error.ts'
import { type Answer, isRecord, type Response } from './peer.ts'

/**
 * Answers what an agent asks of its editor: permissions as the script gives them, in order, and files of the scenario's
 * working directory.
 *
 * @param fail is told of a question that the script has no answer for; the agent gets an error
 */
export function clientMethods(
  cwd: string,
  permissions: readonly Permission[],
  fail: (error: StepError) => void,
): Answer {
  const left = [...permissions]
  return (method, params) => {
    switch (method) {
      case 'session/request_permission':
        return answerPermission(left.shift(), params, fail)
      case 'fs/read_text_file':
        return inside(cwd, params, (path) => ({ content: cutLines(readFileSync(path, 'utf8'), params) }))
      case 'fs/write_text_file':
        return inside(cwd, params, (path) => {
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, String(params.content))
          return null
        })
      default:
        return { error: { code: -32601, message: `Method not found: ${method}` } }
    }
  }
}

function answerPermission(
  permission: Permission | undefined,
  params: Record<string, unknown>,
  fail: (error: StepError) => void,
): Response {
  const options = Array.isArray(params.options) ? params.options.filter(isRecord) : []
  if (permission && 'outcome' in permission) return { result: { outcome: { outcome: 'cancelled' } } }
  const chosen = permission && options.find((option) => matches(option, permission))
  if (chosen) return { result: { outcome: { outcome: 'selected', optionId: chosen.optionId } } }
  const expected = permission
    ? `a permission request with the option ${inspect(permission)}`
    : 'no permission request: "permissions" of input.json has no answer left'
  const call = isRecord(params.toolCall) ? params.toolCall.title : undefined
  const offered = options.map(({ optionId, kind }) => ({ optionId, kind }))
  fail(new StepError(expected, `session/request_permission for ${inspect(call)}, options ${inspect(offered)}`))
  return { error: { code: -32603, message: 'the scenario has no answer to this permission request' } }
}

function matches(option: Record<string, unknown>, permission: Permission): boolean {
  if ('kind' in permission) return option.kind === permission.kind
  return 'optionId' in permission && option.optionId === permission.optionId
}

function inside(cwd: string, { path }: Record<string, unknown>, run: (path: string) => unknown): Response {
  if (typeof path !== 'string' || !isAbsolute(path) || !isBelow(cwd, path)) {
    return invalidParams(`path is not in the working directory: ${inspect(path)}`)
  }
  try {
    return { result: run(path) }
  } catch {
    return { error: { code: -32002, message: `Resource not found: ${path}` } }
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
  const from = typeof line === 'number' ? line - 1 : 0
  return text
    .split('\n')
    .slice(from, typeof limit === 'number' ? from + limit : undefined)
    .join('\n')
}
