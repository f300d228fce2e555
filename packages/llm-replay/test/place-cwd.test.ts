import type { StreamChunk } from '@acp-snapshot/session'
import fc from 'fast-check'
import { placeCwd } from '../src/place-cwd.ts'

const POSIX = '/home/me/a $& project'
const WINDOWS = 'C:\\Users\\me "and" you'

test('replaces every {{cwd}} in a text with the working directory', () => {
  const chunk = { type: 'text-delta' as const, index: 0, text: 'in {{cwd}}, {{cwd}}/a.txt' }
  expect(placeCwd(chunk, POSIX)).toEqual({ ...chunk, text: `in ${POSIX}, ${POSIX}/a.txt` })
  const thought = { type: 'reasoning-delta' as const, index: 0, text: '{{cwd}}' }
  expect(placeCwd(thought, WINDOWS)).toEqual({ ...thought, text: WINDOWS })
})

test('replaces {{cwd}} in nested texts of a block', () => {
  const content = [{ type: 'text' as const, text: '{{cwd}}' }]
  const block = { type: 'tool-result' as const, toolCallId: '{{cwd}}', content }
  const chunk = { type: 'block-end' as const, index: 0, block }
  expect(placeCwd(chunk, WINDOWS)).toEqual({
    ...chunk,
    block: { ...block, toolCallId: WINDOWS, content: [{ type: 'text', text: WINDOWS }] },
  })
})

test('escapes the directory in the arguments of a tool call, which are JSON text, whole or in pieces', () => {
  const args = '{"command":"cat {{cwd}}/a.txt"}'
  const whole = placeCwd(
    { type: 'block-end', index: 0, block: { type: 'tool-call', id: 'c', name: 'bash', arguments: args } },
    WINDOWS,
  )
  const written = whole.type === 'block-end' && whole.block.type === 'tool-call' ? whole.block.arguments : ''
  expect(JSON.parse(written)).toEqual({ command: `cat ${WINDOWS}/a.txt` })

  const pieces = ['{"command":"cat {{cwd}}', '/a.txt"}'].map((argumentsDelta) => {
    const piece = placeCwd({ type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta }, WINDOWS)
    return piece.type === 'tool-call-delta' ? piece.argumentsDelta : ''
  })
  expect(JSON.parse(pieces.join(''))).toEqual({ command: `cat ${WINDOWS}/a.txt` })
})

test('does not change other tokens, nor values that are not strings', () => {
  const text: StreamChunk = { type: 'text-delta', index: 3, text: '{{home}} {{cwd {cwd}} {{ cwd }}' }
  const usage: StreamChunk = { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } }
  expect(placeCwd(text, POSIX)).toEqual(text)
  expect(placeCwd(usage, POSIX)).toEqual(usage)
})

test('does not change a text without the token', () => {
  const withoutToken = fc.string().filter((text) => !text.includes('{{cwd}}'))
  fc.assert(
    fc.property(withoutToken, fc.string(), (text, cwd) => {
      const chunk: StreamChunk = { type: 'text-delta', index: 0, text }
      expect(placeCwd(chunk, cwd)).toEqual(chunk)
    }),
  )
})

test('produces valid JSON text for a directory with any characters', () => {
  fc.assert(
    fc.property(fc.string(), (cwd) => {
      const chunk: StreamChunk = { type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: '{"path":"{{cwd}}"}' }
      const placed = placeCwd(chunk, cwd)
      expect(JSON.parse(placed.type === 'tool-call-delta' ? placed.argumentsDelta : '')).toEqual({ path: cwd })
    }),
  )
})
