import { isTrailing } from '../../src/surfaces/transcript.ts'

const response = '{"jsonrpc":"2.0","id":1,"result":{}}'
const update = '{"jsonrpc":"2.0","method":"session/update","params":{}}'
const question = '{"jsonrpc":"2.0","id":1,"method":"x"}'
const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')

test.each<[string, number, string, string, boolean]>([
  ['an extra frame at the end', 1, text(response), text(response, update), true],
  ['a missing frame at the end', 1, text(response, update), text(response), true],
  ['a missing request at the end', 2, text(response, update, question), text(response, update), true],
  ['another frame at the end', 1, text(response, update), text(response, question), false],
  ['a missing frame before the last response', 0, text(update, response), text(response), false],
  ['a golden with a line that is not JSON', 1, text(response, '<<<'), text(response), true],
  ['a missing response', 1, text(response, response), text(response), false],
])('%s is trailing: %#', (_, line, expected, actual, trailing) => {
  expect(isTrailing(line, expected, actual)).toBe(trailing)
})
