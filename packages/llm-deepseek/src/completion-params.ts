import type { LlmRequest, ToolSchema } from '@acp-snapshot/llm'
import type { ContentBlock, Message } from '@acp-snapshot/session'

type ProviderMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'tool'; tool_call_id: string; content: string }
  | ReturnType<typeof toAssistantMessage>

/**
 * Builds the body of one streaming chat completion call.
 *
 * @see https://api-docs.deepseek.com/api/create-chat-completion
 */
export function toCompletionParams(request: LlmRequest) {
  const system: ProviderMessage[] = request.system ? [{ role: 'system', content: request.system }] : []
  return {
    model: request.model,
    messages: [...system, ...request.messages.flatMap(toMessages)],
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool) }),
    stream: true,
    stream_options: { include_usage: true },
  }
}

function toMessages({ role, content }: Message): ProviderMessage[] {
  switch (role) {
    case 'user':
      return [{ role, content: textOf(content, 'text', '\n') }]
    case 'assistant':
      return [toAssistantMessage(content)]
    case 'tool':
      return content.flatMap((block) =>
        block.type === 'tool-result'
          ? [{ role, tool_call_id: block.toolCallId, content: textOf(block.content, 'text', '\n') }]
          : [],
      )
  }
}

/**
 * Reasoning goes back to the model. DeepSeek refuses (400) a history in which a message with tool calls has no
 * `reasoning_content`; it may be empty. DeepSeek ignores it where it needs none.
 *
 * @see https://api-docs.deepseek.com/guides/thinking_mode
 */
function toAssistantMessage(content: readonly ContentBlock[]) {
  const calls = content.flatMap(toToolCall)
  const reasoning = textOf(content, 'reasoning', '')
  return {
    role: 'assistant' as const,
    content: textOf(content, 'text', ''),
    ...((reasoning !== '' || calls.length > 0) && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function toToolCall(block: ContentBlock) {
  if (block.type !== 'tool-call') return []
  return [{ id: block.id, type: 'function' as const, function: { name: block.name, arguments: block.arguments } }]
}

function toTool({ name, description, parameters }: ToolSchema) {
  return { type: 'function', function: { name, description, parameters } }
}

function textOf(content: readonly ContentBlock[], type: 'text' | 'reasoning', separator: string): string {
  return content.flatMap((block) => (block.type === type ? [block.text] : [])).join(separator)
}
