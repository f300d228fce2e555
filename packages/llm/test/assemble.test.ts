import { Assembler } from '../src/assemble.ts'

test('orders blocks by index, and drops blocks without an end', () => {
  const assembler = new Assembler()
  assembler.add({ type: 'block-start', index: 0, blockType: 'text' })
  assembler.add({ type: 'block-end', index: 1, block: { type: 'text', text: 'second' } })
  assembler.add({ type: 'block-end', index: 0, block: { type: 'text', text: 'first' } })
  assembler.add({ type: 'block-start', index: 2, blockType: 'text' })
  assembler.add({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } })
  assembler.add({ type: 'finish', reason: { kind: 'stop' } })
  expect(assembler.answer).toEqual({
    content: [
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' },
    ],
    usage: { inputTokens: 1, outputTokens: 2 },
    finish: { kind: 'stop' },
  })
})

test('rejects a chunk after the finish', () => {
  const assembler = new Assembler()
  assembler.add({ type: 'finish', reason: { kind: 'stop' } })
  expect(() => assembler.add({ type: 'text-delta', index: 0, text: 'late' })).toThrow(
    "the model's stream sent text-delta after finish",
  )
})
