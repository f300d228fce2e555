import type { Route, Wire, WireRequest } from '../wire.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** The first wire that knows a path has it: chat completions, which look up any `/models`, come last. */
const WIRES: readonly Wire[] = [openaiResponses, anthropicMessages, gemini, openaiChat]

/** The wire of a request, and what the request asks of it. An unknown path is refused in the shape that its client reads. */
export function routeRequest(request: WireRequest): { wire: Wire; route: Route } {
  for (const wire of WIRES) {
    const route = wire.route(request)
    if (route) return { wire, route }
  }
  const wire = WIRES.find((wire) => wire.recognizes(request)) ?? openaiChat
  return { wire, route: { kind: 'refused', status: 404, message: 'unknown path' } }
}
