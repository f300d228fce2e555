import { normalizeSessionLogs, normalizeTranscript } from 'jest-serializer-acp'
import { expectLinear, normalize } from './support.ts'

const A = '9e94b313-fd99-4c90-9066-757ba290d833'
const B = 'a9282055-3295-44a5-9f32-57a80cc84f38'
const C = '356ef188-a9e7-45d2-9c1c-8eda61c76209'

describe('the ids of JSON-RPC', () => {
  const response = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} })
  const request = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'fs/read_text_file', params: {} })
  const idsOf = (frames: readonly unknown[], requestIds?: (string | number)[]) =>
    normalize(frames, { requestIds }).map((frame) => (frame as { id: unknown }).id)

  test('are numbered in order of first occurrence, separately for each direction', () => {
    expect(idsOf([response(0), request(0), request('b'), response(7), request('b')])).toEqual([1, 1, 2, 2, 2])
  })

  test('are numbered in the order in which the client sent its requests, not in the order of arrival', () => {
    expect(idsOf([response(12), response(10), response(11)], [10, 11, 12])).toEqual([3, 1, 2])
  })

  test('continue after the known requests of the client', () => {
    expect(idsOf([response(99), response(10)], [10, 11])).toEqual([3, 1])
  })

  test('differ when one is a number and one a string', () => {
    expect(idsOf([response(1), response('1'), request('1'), request(1)])).toEqual([1, 2, 1, 2])
  })

  test('stay null if the agent did not know the id', () => {
    expect(idsOf([response(null), response(5)])).toEqual([null, 1])
  })

  test('stay if they were numbered before, also in another order', () => {
    expect(idsOf([response(3), response(1), response(2)])).toEqual([3, 1, 2])
    expect(idsOf([response(1), response(2)], [0, 1])).toEqual([1, 2])
  })

  test('stay in a transcript with session tokens, and new ones get free numbers', () => {
    const session = { id: 3, result: { sessionId: '{{sessionId}}' } }
    expect(idsOf([session, response(1), response('x'), request(4), request('y')])).toEqual([3, 1, 2, 4, 1])
  })

  test("are also replaced in the cancellation of an agent's request", () => {
    const cancel = { method: '$/cancel_request', params: { requestId: 'r-1' } }
    expect(normalize([response(9), request('r-1'), request('r-2'), cancel])).toEqual([
      response(1),
      request(1),
      request(2),
      { method: '$/cancel_request', params: { requestId: 1 } },
    ])
  })

  test("are also replaced in a question to the user, as the client's ids", () => {
    const ask = { id: 'ask', method: 'elicitation/create', params: { requestId: 41 } }
    expect(normalize([request('r-1'), ask], { requestIds: [40, 41] })).toEqual([
      request(1),
      { id: 2, method: 'elicitation/create', params: { requestId: 2 } },
    ])
  })

  test('are not replaced in other methods, nor deeper in a frame', () => {
    const frame = { method: 'x', params: { requestId: 41, id: 41 }, result: { id: 41 } }
    expect(normalize([frame])).toEqual([frame])
  })
})

describe('the ids of an agent', () => {
  test('of sessions and messages get one token each, in order of first occurrence', () => {
    expect(
      normalize([
        { result: { sessionId: B } },
        { result: { sessionId: A, messageId: 'msg_1' } },
        { params: { sessionId: B, update: { messageId: 'msg_0' } } },
        { params: { sessionId: A, update: { messageId: 'msg_1' } } },
      ]),
    ).toEqual([
      { result: { sessionId: '{{sessionId}}' } },
      { result: { sessionId: '{{sessionId.2}}', messageId: '{{messageId}}' } },
      { params: { sessionId: '{{sessionId}}', update: { messageId: '{{messageId.2}}' } } },
      { params: { sessionId: '{{sessionId.2}}', update: { messageId: '{{messageId}}' } } },
    ])
  })

  test.each(['toolCallId', 'terminalId', 'elicitationId', 'compactionId'])(
    'in %s stay, unless they hold a clock or a UUID',
    (key) => {
      const ids = ['call_fake1', 'write_1796071739389_0', 'call_11796071739389', 'call_17960717393891', `t-${A}`]
      expect(normalize(ids.map((id) => ({ [key]: id })))).toEqual(
        ['call_fake1', `{{${key}}}`, 'call_11796071739389', 'call_17960717393891', `{{${key}.2}}`].map((id) => ({
          [key]: id,
        })),
      )
    },
  )

  test('that are not known to be volatile stay', () => {
    const frame = { optionId: A, modeId: 'auto', nextCursor: '1796071739389', id: { a: 1 } }
    expect(normalize([frame])).toEqual([frame])
  })

  test('that are empty, or not strings, stay', () => {
    const frame = { sessionId: '', messageId: null, toolCallId: 1796071739389 }
    expect(normalize([frame])).toEqual([frame])
  })

  test('become the same token inside any other text, also in frames before', () => {
    expect(
      normalize([
        { error: { message: `no session ${A}, or (${A})` } },
        { sessionId: A, title: `${A}.jsonl`, raw: `{"out":"a\\n${A}\\n","id":"${A}"}`, url: `?next=%2F${A}` },
        { sessions: { [A]: true }, list: [A] },
      ]),
    ).toEqual([
      { error: { message: 'no session {{sessionId}}, or ({{sessionId}})' } },
      {
        sessionId: '{{sessionId}}',
        title: '{{sessionId}}.jsonl',
        raw: '{"out":"a\\n{{sessionId}}\\n","id":"{{sessionId}}"}',
        url: '?next=%2F{{sessionId}}',
      },
      { sessions: { '{{sessionId}}': true }, list: ['{{sessionId}}'] },
    ])
  })

  test('are found inside a text at a word boundary only, and the longest first', () => {
    const text = 'session-1 session-12 session-1x xsession-1 session-1-a session-1-b'
    expect(normalize([{ sessionId: 'session-1' }, { sessionId: 'session-1-a' }, { text }])[2]).toEqual({
      text: '{{sessionId}} session-12 session-1x xsession-1 {{sessionId.2}} {{sessionId}}-b',
    })
  })

  test('that are shorter than 8 characters are replaced only as the value of their key', () => {
    expect(normalize([{ sessionId: 'abcdefg', title: 'abcdefg', _meta: { messageId: 'text' }, type: 'text' }])).toEqual(
      [{ sessionId: '{{sessionId}}', title: 'abcdefg', _meta: { messageId: '{{messageId}}' }, type: 'text' }],
    )
  })

  test('keep the number of a token in the transcript, and others get a free number', () => {
    expect(
      normalize([
        { sessionId: A, text: '{{sessionId.3}} {{messageId}}' },
        { sessionId: '{{sessionId}}', messageId: 'm' },
        { sessionId: B },
        { sessionId: C },
      ]),
    ).toEqual([
      { sessionId: '{{sessionId.2}}', text: '{{sessionId.3}} {{messageId}}' },
      { sessionId: '{{sessionId}}', messageId: '{{messageId.2}}' },
      { sessionId: '{{sessionId.4}}' },
      { sessionId: '{{sessionId.5}}' },
    ])
  })

  test('are not found inside a token', () => {
    expect(normalize([{ sessionId: 'sessionId', text: 'sessionId {{sessionId.7}}' }])).toEqual([
      { sessionId: '{{sessionId}}', text: '{{sessionId}} {{sessionId.7}}' },
    ])
  })

  test('are not found in a key of letters only, which is a field name', () => {
    const frame = { sessionId: 'terminal', terminal: 1, 'my-terminal': 2 }
    expect(normalize([frame])).toEqual([{ sessionId: '{{sessionId}}', terminal: 1, 'my-{{sessionId}}': 2 }])
  })

  test('may begin with a known path, or follow one', () => {
    const paths = { cwd: ['/tmp/x'] }
    const frame = { sessionId: '/tmp/x/s1', text: '/tmp/x/s1 /tmp/x/s2', messageId: A, log: `/tmp/x/${A}/log` }
    expect(normalize([frame], { paths })).toEqual([
      {
        sessionId: '{{sessionId}}',
        text: '{{sessionId}} {{cwd}}/s2',
        messageId: '{{messageId}}',
        log: '{{cwd}}/{{messageId}}/log',
      },
    ])
  })
})

test('the time in updatedAt becomes a token when it is one', () => {
  expect(
    normalize(
      ['2026-11-30T21:26:00.123Z', '2026-11-30T21:26:00+01:00', 'yesterday', null].map((updatedAt) => ({ updatedAt })),
    ),
  ).toEqual(['{{time}}', '{{time}}', 'yesterday', null].map((updatedAt) => ({ updatedAt })))
})

describe('what is not volatile', () => {
  test('stays as the agent wrote it: order of keys, digits of numbers, escapes of strings', () => {
    const frame = '{"result":{"b":1.0,"10":12345678901234567890,"2":1e3,"b":"\\u00e9\\/","__proto__":{}},"id":1}'
    expect(normalizeTranscript([frame])).toEqual([frame])
  })

  test('is every part of a frame except white space', () => {
    expect(normalizeTranscript(['{ "a" : [ 1 , "b c" , { } , [ ] , null ] }\r'])).toEqual([
      '{"a":[1,"b c",{},[],null]}',
    ])
  })
})

test('a frame that is not JSON is an error that names it', () => {
  expect(() => normalizeTranscript(['{}', 'Debugger listening'])).toThrow(
    /^frame 2 of the transcript is not JSON: "Debugger listening"/,
  )
})

describe('what is nested too deeply', () => {
  const nested = (levels: number, [open = '', close = '']: readonly string[]) =>
    `${open.repeat(levels)}1${close.repeat(levels)}`
  const kinds = [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const

  test.each(kinds)('is an error that names the frame and the limit: %s', (...kind) => {
    for (const levels of [501, 100_000]) {
      expect(() => normalizeTranscript(['{}', nested(levels, kind)])).toThrow(
        /^frame 2 of the transcript is nested too deeply: at most 500 levels are read: "[^\n]{80,200}…"$/,
      )
    }
  })

  test.each(kinds)('is one that names the log and the line: %s', (...kind) => {
    const log = `{"type":"session","id":"a"}\n${nested(100_000, kind)}\n`
    expect(() => normalizeSessionLogs(['{}', log])).toThrow(
      /^session log 2, line 2 is nested too deeply: at most 500 levels are read: /,
    )
  })

  test.each(kinds)('is neither a value at the limit nor brackets in a string: %s', (...kind) => {
    const text = nested(100_000, kind)
    const frames = [nested(500, kind), JSON.stringify(text), JSON.stringify(`"${text}\\`), `[${'[],'.repeat(1000)}1]`]
    expect(normalizeTranscript(frames)).toEqual(frames)
  })
})

test('the time to normalise a transcript grows with its length, and not with its square', () => {
  const paths = { cwd: ['/tmp/x/work', '/private/real/x/work'], home: ['/tmp/x/home'], tmp: ['/tmp/x'] }
  expectLinear((length) => {
    const frames = Array.from({ length }, (_, i) => {
      const update = { messageId: `msg_22e2a899b${i >> 3}`, text: `word /tmp/x/work/out.txt ${i}` }
      return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: A, update } })
    })
    normalizeTranscript(frames, { paths })
  }, 400)
})
