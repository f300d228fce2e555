import { FixtureError } from '../../src/scenario/fault.ts'
import { inputKeys } from '../../src/scenario/input/input-schema.ts'
import { parseInput } from '../../src/scenario/input/parse-input.ts'
import { stepKeys } from '../../src/scenario/input/step-schema.ts'

const FILE = '__fixtures__/x/input.json'
const START = [{ op: 'initialize' }, { op: 'newSession' }]

test('fills in the defaults', () => {
  expect(parseInput(JSON.stringify({ steps: START }), FILE)).toMatchObject({
    overridden: false,
    pinsHeader: false,
    headerClass: 'default',
    dataPaths: [],
    permissions: [],
    steps: START,
  })
})

test('keeps every key of every step', () => {
  const input = {
    $schema: '../../environment/schema/input.schema.json',
    description: 'Everything at once.',
    overridden: true,
    pinsHeader: false,
    pinsWorkspace: true,
    headerClass: 'plain',
    config: 'variant',
    answers: [
      { method: '_vendor/ask', result: { a: [null] }, times: 'any' },
      { method: '_vendor/ask', error: { code: 1, message: 'no', data: 2 } },
    ],
    dataPaths: ['/tmp/out.txt'],
    permissions: [{ kind: 'allow_once' }, { optionId: 'o' }, { outcome: 'cancelled' }, { kind: 'leaveOpen' }],
    steps: [
      { op: 'initialize', protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } },
      { op: 'newSession', as: 'a', cwd: 'sub', additionalDirectories: ['/d'], mcpServers: [{ name: 'm' }] },
      { op: 'newSessionExpectError', cwd: '', additionalDirectories: ['/d'], mcpServers: [], code: -32602 },
      { op: 'prompt', text: 'hello', background: true },
      { op: 'waitForUpdate', session: 'a', update: 'agent_message_chunk', text: 'he' },
      { op: 'cancel' },
      { op: 'waitForPrompt', stopReason: 'cancelled' },
      { op: 'newSession', as: 'b' },
      { op: 'prompt', content: [{ type: 'resource_link', uri: 'file:///a' }], session: 'b' },
      { op: 'promptExpectError', text: 'x', sessionId: 'nobody', code: -32602 },
      { op: 'promptAndCancel', text: 'x', session: 'a', after: 'permission' },
      { op: 'settle', ms: 20 },
      { op: 'setMode', modeId: 'ask', session: 'a' },
      { op: 'setConfigOption', configId: 'model', value: 'big', session: 'b' },
      { op: 'restart' },
      { op: 'initialize' },
      { op: 'loadSession', session: 'b' },
      { op: 'loadSessionExpectError', sessionId: 'nobody', code: -32002 },
    ],
  }
  expect(parseInput(JSON.stringify(input), FILE)).toEqual(input)
})

test('lists all faults of a file, each with file, step and key', () => {
  const text = JSON.stringify({
    describtion: 'x',
    permissions: [{ kind: 'maybe' }],
    steps: [{ op: 'initialize' }, { op: 'prompt', txt: 'x' }, { op: 'promt', text: 'x' }, { op: 'cancel', session: 1 }],
  })
  expect(() => parseInput(text, FILE)).toThrow(
    new FixtureError([
      {
        file: FILE,
        message:
          '"permissions[0]": expected { "kind": "allow_once" | "allow_always" | "reject_once" | "reject_always" | "leaveOpen" }, ' +
          '{ "optionId": … } or { "outcome": "cancelled" }, each with or without "for": "a title or kind" and "times": "any"',
      },
      {
        file: FILE,
        message:
          'step 2 (prompt): unknown key "txt"; did you mean "text"? (the known keys are: text, content, session, background)',
      },
      { file: FILE, message: 'step 3: unknown op "promt"; did you mean "prompt"?' },
      { file: FILE, message: 'step 4 (cancel): "session": expected string, got number' },
      {
        file: FILE,
        message: `unknown key "describtion"; did you mean "description"? (the known keys are: ${inputKeys.join(', ')})`,
      },
    ]),
  )
})

test('numbers the faults in the message of its error', () => {
  expect(() => parseInput('{"steps": 1, "overridden": "yes"}', FILE)).toThrow(
    'the fixture guard found 2 faults:\n' +
      `  1. ${FILE}: "overridden": expected boolean, got string\n` +
      `  2. ${FILE}: "steps": expected array, got number`,
  )
})

const OPS = [...stepKeys.keys()].join(', ')

test.each([
  ['[]', 'expected object, got array'],
  ['null', 'expected object, got null'],
  ['{}', 'missing key "steps"'],
  ['{"steps":[]}', '"steps": must have a step, and the first one is initialize'],
  ['{"steps":[1]}', 'step 1: expected object, got number'],
  ['{"steps":[{}]}', `step 1: missing key "op"; the ops are: ${OPS}`],
  ['{"steps":[{"op":"teleport"}]}', `step 1: unknown op "teleport"; the ops are: ${OPS}`],
  ['{"steps":[{"op":"initalise"}]}', 'step 1: unknown op "initalise"; did you mean "initialize"?'],
  ['{"steps":[{"op":5}]}', `step 1: unknown op 5; the ops are: ${OPS}`],
  [
    '{"steps":[{"op":"restart","now":true}]}',
    'step 1 (restart): unknown key "now"; this step has no other key than "op"',
  ],
  ['{"steps":[{"op":"setMode"}]}', 'step 1 (setMode): missing key "modeId"'],
  ['{"steps":[{"op":"prompt","content":[{"text":"x"}]}]}', 'step 1 (prompt): missing key "content[0].type"'],
])('says what is wrong with %s', (text, message) => {
  expect(() => parseInput(text, FILE)).toThrow(new FixtureError([{ file: FILE, message }]))
})

test.each([
  ['', ':1:1: not JSON: expected a value, got the end of the text'],
  ['{\n  "steps": [\n    { "op": "initialize" },\n  ]\n}', ':4:3: not JSON: expected a value, got "]"'],
  ['{ "steps": [{ op: "initialize" }] }', ':1:15: not JSON: expected a key or "}", got "o"'],
  [
    `{\n"steps": ${'['.repeat(100_000)}${']'.repeat(100_000)} }`,
    ':2:109: nested too deeply: at most 100 levels are read',
  ],
])('says where it is not JSON: %.40j', (text, problem) => {
  expect(() => parseInput(text, FILE)).toThrow(`the fixture guard found 1 fault:\n  1. ${FILE}${problem}`)
})

test('quotes only the start of a very long name, and suggests no other', () => {
  const long = 'x'.repeat(5_000_000)
  for (const steps of [
    [{ op: long }],
    [{ op: 'initialize', [long]: 1 }],
    [...START, { op: 'cancel', session: long }],
  ]) {
    const parse = () => parseInput(JSON.stringify({ steps }), FILE)
    expect(parse).toThrow('… (5000002 characters)')
    expect(parse).not.toThrow(/x{200}/)
    expect(parse).not.toThrow('did you mean')
  }
})
