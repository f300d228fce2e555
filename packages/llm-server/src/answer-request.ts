import { routeRequest } from '@acp-snapshot/model-wire'
import { type Plan, planAnswer, planError, planJson } from './plan.ts'
import type { Received, ReceivedRequest } from './received-request.ts'
import type { Script } from './script.ts'
import type { Random } from './seeded-random.ts'

interface AnswerOptions {
  script: Script
  random: Random
  packetBytes: number | undefined
  warn: (line: string) => void
}

/** Plans the response to a request: the next answer of the script, the answer to a look-up, or an HTTP error with its reason. */
export function answerRequest({ request, tooLarge }: Received, options: AnswerOptions): Plan {
  const { script, random, packetBytes, warn } = options
  const { wire, route } = routeRequest(request)
  const refuse = (status: number, reason: string, advice?: string): Plan => {
    warn(describe(request, status, reason, advice))
    return planError(wire, status, `llm-server: ${reason}`)
  }
  if (tooLarge) return refuse(413, 'the body is too large')
  if (route.kind === 'refused') return refuse(route.status, route.message, ADVICE[route.status])
  if (route.kind === 'look-up') return planJson(route.answer)
  const next = script.next(request.body)
  if (!next) return refuse(wire.unansweredStatus, script.problem, 'Add an answer to the script.')
  const call = { model: route.model, answerId: next.id }
  try {
    return planAnswer(next.answer, { wire, call, stream: route.stream, random, packetBytes })
  } catch (error) {
    return refuse(wire.unansweredStatus, error instanceof Error ? error.message : String(error), 'Correct the script.')
  }
}

const ADVICE: Readonly<Record<number, string>> = {
  404: 'The README of llm-server lists the paths.',
}

/** Without the query, which may hold a key. */
function describe(
  { method, path }: ReceivedRequest,
  status: number,
  reason: string,
  advice: string | undefined,
): string {
  const line = `llm-server: answered ${method} ${path.replace(/\?.*$/s, '')} with ${status}: ${reason}`
  return advice === undefined ? line : `${line}. ${advice}`
}
