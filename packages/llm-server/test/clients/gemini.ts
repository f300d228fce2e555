import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import type { Client } from './client.ts'

export const gemini: Client = {
  name: 'Gemini',
  async ask(url, { stream, signal }) {
    const { models } = connect(url)
    const body = { model: 'm', contents: 'Hello', config: signal ? { abortSignal: signal } : {} }
    const responses: GenerateContentResponse[] = []
    if (stream) for await (const response of await models.generateContentStream(body)) responses.push(response)
    else responses.push(await models.generateContent(body))
    const parts = responses.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const join = (thought: boolean) =>
      parts.map((part) => ((part.thought ?? false) === thought ? (part.text ?? '') : '')).join('')
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    const {
      promptTokenCount: input = 0,
      candidatesTokenCount = 0,
      thoughtsTokenCount = 0,
    } = responses.at(-1)?.usageMetadata ?? {}
    return {
      text: join(false),
      reasoning: join(true),
      calls: calls.map(({ id = '', name = '', args }) => ({ id, name, arguments: args })),
      tokens: { input, output: candidatesTokenCount + thoughtsTokenCount },
      finish: responses.at(-1)?.candidates?.[0]?.finishReason,
    }
  },
  findModel: async (url) => (await connect(url).models.get({ model: 'm' })).name?.replace('models/', ''),
  finishes: { stop: 'STOP', calls: 'STOP' },
}

function connect(url: string): GoogleGenAI {
  return new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url } })
}
