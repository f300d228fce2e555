import OpenAI from 'openai'
import type { Client } from './client.ts'

export const openaiResponses: Client = {
  name: 'Responses',
  async ask(url, { stream, signal }) {
    const { responses } = connect(url)
    const body = { model: 'm', input: 'Hello' }
    const gather = () => responses.stream(body, { signal }).on('response.failed', fail).finalResponse()
    const { output, usage, status } = stream ? await gather() : await responses.create(body, { signal })
    const texts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
    const summaries = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
    const calls = output.flatMap((item) => (item.type === 'function_call' ? item : []))
    return {
      text: texts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
      reasoning: summaries.map(({ text }) => text).join(''),
      calls: calls.map(({ call_id, name, arguments: json }) => ({ id: call_id, name, arguments: JSON.parse(json) })),
      tokens: { input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0 },
      finish: status,
    }
  },
  findModel: async (url) => (await connect(url).models.retrieve('m')).id,
  finishes: { stop: 'completed', calls: 'completed' },
}

function connect(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
}

/** The client gives such a response as an event only. */
function fail({ response }: { response: { error: { message: string } | null } }): never {
  throw new Error(response.error?.message)
}
