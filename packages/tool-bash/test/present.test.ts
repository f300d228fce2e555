import fc from 'fast-check'
import { presentCommand, presentOutput } from '../src/present.ts'

/** The text that an editor shows for an output. */
function shown(output: string): unknown {
  const { content } = presentOutput({ content: [{ type: 'text', text: output }], isError: false })
  const [block, ...others] = content
  expect(others).toEqual([])
  return block?.type === 'content' ? block.content.text : block
}

test('the command is the title, and its description is the content', () => {
  expect(presentCommand({ command: 'ls -l', description: 'List the files' })).toEqual({
    title: 'ls -l',
    kind: 'execute',
    rawInput: 'ls -l',
    content: [{ type: 'content', content: { type: 'text', text: 'List the files' } }],
  })
})

test('an output is a console block, without its last newline', () => {
  expect(shown('a\nb\n')).toBe('```console\na\nb\n```')
  expect(shown('  a\n\n')).toBe('```console\n  a\n\n```')
  expect(shown('a\nb')).toBe('```console\na\nb\n```')
})

test('an output that contains a fence gets a longer fence', () => {
  expect(shown('```js\n````\n')).toBe('`````console\n```js\n````\n`````')
})

test('no output can close its own block', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', '\n', 'a') }), (output) => {
      const [first = '', ...lines] = String(shown(output)).split('\n')
      const fence = first.replace('console', '')
      expect(lines.findIndex((line) => line.startsWith(fence))).toBe(lines.length - 1)
    }),
  )
})
