import { type Result, tableOf } from '../results.ts'

const OUTPUT = `FAIL examples/agents/one/__fixtures__/cancel/input.json
  ● cancel

    scenario cancel: the transcript differs from stdout.golden.jsonl
      first at frame 5`

function result(agent: string, scenario: string, seconds: number, failure?: string): Result {
  return { agent, scenario, seconds, failure }
}

test('the table has passes, runs and the mean of seconds for each agent and scenario, and a line for each failure', () => {
  const results = [
    result('one', 'prompt', 1),
    result('one', 'cancel', 2, OUTPUT),
    result('one', 'cancel', 3),
    result('another', 'prompt', 4),
    result('another', 'load-session', 5.04),
  ]
  expect(tableOf(results)).toBe(
    [
      'agent    cancel    load-session  prompt',
      'one      1/2 2.5s  –             1/1 1.0s',
      'another  –         1/1 5.0s      1/1 4.0s',
      'one cancel: scenario cancel: the transcript differs from stdout.golden.jsonl',
    ].join('\n'),
  )
})

test('what the model server said comes before what Jest said', () => {
  const failure = `llm-server: answered POST /v1/x with 404\n${OUTPUT}`
  expect(tableOf([result('one', 'cancel', 1, failure)])).toContain(
    '\none cancel: llm-server: answered POST /v1/x with 404',
  )
})

test('a failure without any output is named too', () => {
  expect(tableOf([result('one', 'cancel', 1, '')])).toContain('one cancel: no output')
})
