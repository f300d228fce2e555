import { toCompletionParams } from '../src/completion-params.ts'
import { llmRequest } from './support.ts'

test('asks for a stream with usage, and omits `tools` when there are none', () => {
  expect(toCompletionParams(llmRequest())).toEqual({
    model: 'deepseek-v4-flash',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    stream_options: { include_usage: true },
  })
})

test('puts the system prompt first and describes each tool as a function', () => {
  const parameters = { type: 'object', properties: { command: { type: 'string' } } }
  const params = toCompletionParams(
    llmRequest({ system: 'Be brief.', tools: [{ name: 'bash', description: 'Runs a command', parameters }] }),
  )
  expect(params.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
  expect(params.tools).toEqual([
    { type: 'function', function: { name: 'bash', description: 'Runs a command', parameters } },
  ])
})

test('sends back a whole turn with tool calls: reasoning, text, calls, and one tool message per result', () => {
  const params = toCompletionParams(
    llmRequest({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look at' },
            { type: 'text', text: 'both files' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Two calls.' },
            { type: 'text', text: 'Looking.' },
            { type: 'tool-call', id: 'call_a', name: 'read', arguments: '{"path":"a"}' },
            { type: 'tool-call', id: 'call_b', name: 'read', arguments: '{"path":"b"}' },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_a', content: [{ type: 'text', text: 'A' }], isError: false },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_b', content: [{ type: 'text', text: 'no b' }], isError: true },
          ],
        },
      ],
    }),
  )
  expect(params.messages).toEqual([
    { role: 'user', content: 'Look at\nboth files' },
    {
      role: 'assistant',
      content: 'Looking.',
      reasoning_content: 'Two calls.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'call_b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'A' },
    { role: 'tool', tool_call_id: 'call_b', content: 'no b' },
  ])
})

test('a tool call without reasoning goes back with empty reasoning, which DeepSeek requires', () => {
  const params = toCompletionParams(
    llmRequest({
      messages: [{ role: 'assistant', content: [{ type: 'tool-call', id: 'c', name: 'bash', arguments: '{}' }] }],
    }),
  )
  expect(params.messages[0]).toMatchObject({ content: '', reasoning_content: '' })
})

test('an answer without reasoning or calls goes back as text only', () => {
  const params = toCompletionParams(
    llmRequest({ messages: [{ role: 'assistant', content: [{ type: 'text', text: 'PONG' }] }] }),
  )
  expect(params.messages).toEqual([{ role: 'assistant', content: 'PONG' }])
})
