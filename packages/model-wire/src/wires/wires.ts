import type { Route, Wire, WireRequest } from '../wire.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

const WIRES: readonly Wire[] = [openaiChat, openaiResponses, anthropicMessages, gemini]

/** The wire of a request, and what the request asks of it. A path of no wire is refused in the words of chat completions. */
export function routeRequest(request: WireRequest): { wire: Wire; route: Route } {
  for (const wire of WIRES) {
    const route = wire.route(request)
    if (route) return { wire, route }
  }
  const message = `llm-server: no such path ${request.path}`
  return { wire: openaiChat, route: { kind: 'refused', status: 404, message } }
}
