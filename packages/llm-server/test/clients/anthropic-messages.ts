import Anthropic from '@anthropic-ai/sdk'
import type { Client } from './client.ts'

export const anthropicMessages: Client = {
  name: 'Anthropic messages',
  async ask(url, { stream, signal }) {
    const { messages } = connect(url)
    const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }
    const gather = () => messages.stream(body, { signal }).finalMessage()
    const { content, usage, stop_reason } = stream ? await gather() : await messages.create(body, { signal })
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? block : []))
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: calls.map(({ id, name, input }) => ({ id, name, arguments: input })),
      tokens: { input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0), output: usage.output_tokens },
      finish: stop_reason,
    }
  },
  findModel: async (url) => (await connect(url).models.retrieve('m')).id,
  finishes: { stop: 'end_turn', calls: 'tool_use' },
}

function connect(url: string): Anthropic {
  return new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 })
}
