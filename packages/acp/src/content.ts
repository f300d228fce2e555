import type { ContentBlock } from '@acp-snapshot/session'
import { type ContentBlock as AcpBlock, RequestError } from '@agentclientprotocol/sdk'

/**
 * What the user said, as the log keeps it. Text and resource links are the baseline that every ACP agent takes;
 * a link becomes a Markdown link in text.
 *
 * @throws RequestError -32602 for content that `initialize` does not announce
 */
export function promptContent(prompt: readonly AcpBlock[]): ContentBlock[] {
  if (prompt.length === 0) throw RequestError.invalidParams(undefined, 'prompt is empty')
  return prompt.map((block) => {
    if (block.type === 'text') return { type: 'text', text: block.text }
    if (block.type === 'resource_link') return { type: 'text', text: `[${block.title ?? block.name}](${block.uri})` }
    throw RequestError.invalidParams(undefined, `prompt content of type ${block.type} is not supported`)
  })
}
