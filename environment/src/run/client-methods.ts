import { capabilityFor, isOffered, printCapability } from './capabilities.ts'
import { readTextFile, writeTextFile } from './client-files.ts'
import type { Response } from './message.ts'
import type { Params } from './params.ts'
import type { Answer } from './peer.ts'
import type { Permissions } from './permissions.ts'
import { errorResponse, methodNotFound } from './refused.ts'
import type { ScriptedAnswers } from './scripted-answers.ts'
import type { Terminals } from './terminals.ts'

interface ClientParts {
  /** Files outside of it are refused. */
  cwd: string
  permissions: Permissions
  answers: ScriptedAnswers
  terminals: Terminals
  /** The `clientCapabilities` of the last `initialize`. */
  capabilities: () => unknown
  /** Called for a request that the client answers with "Method not found". @param advice what would answer it */
  refused: (method: string, advice: string) => void
}

type Method = (params: Params) => Response | Promise<Response>

/**
 * Answers the agent's requests: with the answers of the script, else as a client with the scenario's capabilities does.
 * A person who is asked by an elicitation declines.
 */
export function clientMethods(parts: ClientParts): Answer {
  const { cwd, permissions, answers, terminals, capabilities, refused } = parts
  const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
    ['session/request_permission', (params) => permissions.answer(params)],
    ['fs/read_text_file', (params) => readTextFile(cwd, params)],
    ['fs/write_text_file', (params) => writeTextFile(cwd, params)],
    ['terminal/create', (params) => terminals.create(params)],
    ['terminal/output', (params) => terminals.output(params)],
    ['terminal/wait_for_exit', (params) => terminals.waitForExit(params)],
    ['terminal/kill', (params) => terminals.kill(params)],
    ['terminal/release', (params) => terminals.release(params)],
    ['elicitation/create', () => ({ result: { action: 'decline' } })],
  ])
  return (method, params) => {
    const scripted = answers.take(method)
    if (scripted) return scripted
    const answer = methods.get(method)
    const needed = answer && capabilityFor(method, params)
    if (answer && (!needed || isOffered(capabilities(), needed))) return answered(() => answer(params))
    refused(method, needed ? offerAdvice(needed) : ANSWER_ADVICE)
    return methodNotFound(method)
  }
}

/** What goes wrong in a method is the agent's to know: it gets an error response. */
function answered(run: () => Response | Promise<Response>): Response | Promise<Response> {
  try {
    const response = run()
    return 'then' in response ? response.catch(errorResponse) : response
  } catch (error) {
    return errorResponse(error)
  }
}

const ANSWER_ADVICE = '"answers" of input.json can answer it'

function offerAdvice(needed: readonly string[]): string {
  return `the client did not offer it; "clientCapabilities": ${printCapability(needed)} in the step initialize does`
}
