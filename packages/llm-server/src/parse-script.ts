import { overrideSchema, streamChunkSchema } from '@acp-snapshot/session'
import type { ConditionalAnswer, Fault, ScriptAnswer, ServerAnswer } from './server-answer.ts'

/** The keys of each fault besides `fault`. */
const FAULT_KEYS: Readonly<Record<Fault['fault'], readonly string[]>> = {
  status: ['status', 'message'],
  reset: [],
  cut: ['said'],
  stall: ['said'],
  malformed: ['said'],
  html: [],
  empty: [],
  'no-done': ['said'],
  'split-utf8': ['said'],
}

/**
 * Reads a script file: a JSON array of answers.
 *
 * @param file names the script in errors
 * @throws Error that names the invalid answer
 */
export function parseScript(text: string, file: string): ScriptAnswer[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file}: not JSON: ${String(error)}`)
  }
  if (!Array.isArray(value)) throw new Error(`${file}: expected an array of answers, got ${JSON.stringify(value)}`)
  return value.map((answer: unknown, i) => {
    const where = `${file}: answer ${i}`
    const conditional = isObject(answer) && ['when', 'times', 'answer'].some((key) => key in answer)
    return conditional ? parseConditional(answer, where) : parseAnswer(answer, where)
  })
}

function parseConditional(value: Record<string, unknown>, where: string): ConditionalAnswer {
  const { when, times, answer, ...rest } = value
  for (const key of Object.keys(rest)) {
    throw new Error(`${where}: unknown key ${JSON.stringify(key)} beside when, times and answer`)
  }
  const contains = isObject(when) && Object.keys(when).length === 1 ? when.contains : undefined
  if (typeof contains !== 'string' || contains === '') {
    throw new Error(`${where}: when must be { "contains": "a text" }, got ${JSON.stringify(when)}`)
  }
  if (times !== undefined && times !== 'any') {
    throw new Error(`${where}: times must be "any", got ${JSON.stringify(times)}`)
  }
  return { when: { contains }, times, answer: parseAnswer(answer, where) }
}

function parseAnswer(value: unknown, where: string): ServerAnswer {
  if (typeof value === 'string') return value
  if (isObject(value) && 'fault' in value) return parseFault(value, where)
  const result = overrideSchema.safeParse([value])
  const entry = result.data?.[0]
  if (entry) return entry
  const issue = result.error?.issues[0]
  throw new Error(
    `${where}: expected a text, a replay entry or a fault: ${issue?.path.slice(1).join('.')}: ${issue?.message}`,
  )
}

function parseFault(value: Record<string, unknown>, where: string): Fault {
  const { fault, ...rest } = value
  if (!isFaultName(fault)) {
    const known = Object.keys(FAULT_KEYS).join(', ')
    throw new Error(`${where}: unknown fault ${JSON.stringify(fault)}; the faults are ${known}`)
  }
  for (const key of Object.keys(rest)) {
    if (!FAULT_KEYS[fault].includes(key))
      throw new Error(`${where}: the fault ${fault} takes no ${JSON.stringify(key)}`)
  }
  const { status, message, said } = rest
  if (fault === 'status') {
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599) {
      throw new Error(`${where}: expected a status from 400 to 599, got ${JSON.stringify(status)}`)
    }
    if (message !== undefined && typeof message !== 'string') throw new Error(`${where}: message must be a string`)
    return { fault, status, message }
  }
  if (fault === 'reset' || fault === 'html' || fault === 'empty') return { fault }
  return parseSaid(fault, said, where)
}

function parseSaid(
  fault: Exclude<Fault['fault'], 'status' | 'reset' | 'html' | 'empty'>,
  said: unknown,
  where: string,
): Fault {
  if (typeof said === 'string') return { fault, said }
  const chunks = streamChunkSchema.array().safeParse(said ?? [])
  if (!chunks.success)
    throw new Error(`${where}: said must be a text or an array of chunks: ${chunks.error.issues[0]?.message}`)
  return { fault, said: chunks.data }
}

function isFaultName(value: unknown): value is Fault['fault'] {
  return typeof value === 'string' && Object.hasOwn(FAULT_KEYS, value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
