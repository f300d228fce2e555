import { parseScript } from '@acp-snapshot/llm-server'

test('reads texts, replay entries and faults', () => {
  const script = [
    'PONG',
    { kind: 'hang' },
    { kind: 'throw', chunks: [], message: 'no', code: 'AUTH', status: 401 },
    { fault: 'status', status: 503, message: 'busy' },
    { fault: 'reset' },
    { fault: 'cut', said: 'partial' },
    { fault: 'no-done', said: [{ type: 'finish', reason: { kind: 'stop' } }] },
  ]
  expect(parseScript(JSON.stringify(script), 'script.json')).toEqual(script)
})

test('reads conditional answers, with any kind of answer', () => {
  const script = [
    { when: { contains: 'a title' }, times: 'any', answer: 'A title' },
    { when: { contains: 'a summary' }, answer: { fault: 'reset' } },
  ]
  expect(parseScript(JSON.stringify(script), 'script.json')).toEqual(script)
})

test.each([
  ['{', 'script.json: not JSON'],
  ['{}', 'script.json: expected an array of answers, got {}'],
  ['["a", 1]', 'script.json: answer 1: expected a text, a replay entry or a fault'],
  [
    '[{"kind":"chunks","chunks":[{"type":"text-delta","index":0}]}]',
    'answer 0: expected a text, a replay entry or a fault: chunks.0.text',
  ],
  ['[{"fault":"fire"}]', 'answer 0: unknown fault "fire"; the faults are status, reset, cut'],
  ['[{"fault":"reset","said":"a"}]', 'answer 0: the fault reset takes no "said"'],
  ['[{"fault":"status","status":200}]', 'answer 0: expected a status from 400 to 599, got 200'],
  ['[{"when":{},"answer":"a"}]', 'answer 0: when must be { "contains": "a text" }, got {}'],
  ['[{"when":{"contains":""},"answer":"a"}]', 'answer 0: when must be { "contains": "a text" }, got {"contains":""}'],
  ['[{"times":"any","answer":"a"}]', 'answer 0: when must be { "contains": "a text" }, got undefined'],
  ['[{"when":{"contains":"a"},"times":2,"answer":"a"}]', 'answer 0: times must be "any", got 2'],
  ['[{"when":{"contains":"a"},"text":"a"}]', 'answer 0: unknown key "text" beside when, times and answer'],
  ['[{"when":{"contains":"a"}}]', 'answer 0: expected a text, a replay entry or a fault'],
  ['[{"fault":"cut","said":1}]', 'answer 0: said must be a text or an array of chunks'],
])('says what is wrong with %s', (text, problem) => {
  expect(() => parseScript(text, 'script.json')).toThrow(problem)
})
