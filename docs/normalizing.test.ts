import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseOptions } from 'jest-environment-acp/run'
import { BUILT_IN_RULES, normalizeTranscript } from 'jest-serializer-acp'

const page = readFileSync(join(__dirname, 'normalizing.md'), 'utf8')

test('the table lists every rule in the order of the list, whether it is on, and its tokens', () => {
  const rows = rowsOf(section('## The rules')).map(([rule = '', on = '', , token = '']) => ({
    name: rule.replaceAll('`', ''),
    byDefault: on === 'yes',
    tokens: [...new Set([...token.matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name))],
  }))
  const rules = BUILT_IN_RULES.map(({ name, byDefault, tokens }) => ({
    name,
    byDefault,
    tokens: tokens.filter((token) => !RESERVED.has(token)),
  }))
  expect(rows).toEqual(rules)
})

/** No rule makes these tokens yet. A step or the options may have them, and no added rule may. */
const RESERVED: ReadonlySet<string> = new Set(['report', 'fixture', 'model'])

test.each(['## Turn rules off and on', '## Add a rule'])(
  'the example under "%s" does what its table says',
  (heading) => {
    const [sent, golden] = [0, 1].map((column) =>
      rowsOf(section(heading)).map((row) => row[column]?.slice(1, -1) ?? ''),
    )
    expect(sent).toHaveLength(2)
    expect(normalizeTranscript(sent ?? [], { rules: rulesIn(heading) })).toEqual(golden)
  },
)

test('the example of updates in any order places the update after the opening of its session', () => {
  const update = { sessionUpdate: 'available_commands_update', availableCommands: [] }
  const frames = [
    { id: 1, result: { protocolVersion: 1 } },
    { method: 'session/update', params: { sessionId: '{{sessionId}}', update } },
    { id: 2, result: { sessionId: '{{sessionId}}' } },
  ].map((frame) => JSON.stringify(frame))
  const rules = rulesIn('## Updates in any order')
  expect(normalizeTranscript(frames, { rules })).toEqual([frames[0], frames[2], frames[1]])
})

/** The rules of the example under a heading, as the options take them. */
function rulesIn(heading: string) {
  const [, code = ''] = /^```js\n(.*?)^```/ms.exec(section(heading)) ?? []
  const written: unknown = new Function(`return { command: 'my-agent', ${code} }`)()
  return parseOptions(written, __dirname).normalize
}

/** The cells of each row of a table, without its head. */
function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
}

/** The text of the page from a heading to the next one of the same level. */
function section(heading: string): string {
  const [, text = ''] = page.split(`${heading}\n`)
  return text.split(/^## /m)[0] ?? ''
}
