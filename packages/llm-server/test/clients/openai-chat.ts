import OpenAI from 'openai'
import type { Client } from './client.ts'

export const openaiChat: Client = {
  name: 'chat completions',
  async ask(url, { stream, signal }) {
    const { completions } = connect(url).chat
    const body = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] }
    const reasoning: string[] = []
    const gather = () =>
      completions
        .stream(body, { signal })
        .on('chunk', ({ choices }) => reasoning.push(reasoningOf(choices[0]?.delta)))
        .finalChatCompletion()
    const completion = stream ? await gather() : await completions.create(body, { signal })
    const [choice] = completion.choices
    const { prompt_tokens: input = 0, completion_tokens: output = 0 } = completion.usage ?? {}
    const calls = choice?.message.tool_calls?.flatMap((call) => (call.type === 'function' ? call : [])) ?? []
    return {
      text: choice?.message.content ?? '',
      reasoning: stream ? reasoning.join('') : reasoningOf(choice?.message),
      calls: calls.map(({ id, function: fn }) => ({ id, name: fn.name, arguments: JSON.parse(fn.arguments) })),
      tokens: { input, output },
      finish: choice?.finish_reason,
    }
  },
  findModel: async (url) => (await connect(url).models.retrieve('m')).id,
  finishes: { stop: 'stop', calls: 'tool_calls' },
}

function connect(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
}

/** DeepSeek's property, which the client's types do not have. */
function reasoningOf(holder: object | undefined): string {
  return String((holder && Reflect.get(holder, 'reasoning_content')) ?? '')
}
