import { answer, faultsOf, HEADER, input, line, log } from './fixtures.ts'

const header = (more: object) => line({ ...JSON.parse(HEADER), ...more })

test('a log with a line that is not JSON is a fault', () => {
  expect(faultsOf({ 'session.jsonl': `${HEADER}{"type":\n` })).toEqual([
    'session.jsonl:2: not JSON: expected a value, got the end of the text (column 9)',
  ])
})

test('a torn log is a fault', () => {
  expect(faultsOf({ 'session.jsonl': log().slice(0, -1) })).toEqual([
    'session.jsonl:7: the last line has no newline: it is torn',
  ])
})

test('a log of another version is a fault', () => {
  expect(faultsOf({ 'session.jsonl': header({ version: 3 }) })).toEqual([
    'session.jsonl:1: log version 3 is not supported; this reader knows version 0',
  ])
})

test('a log that cannot be replayed is a fault, unless the scenario is overridden', () => {
  const files = { 'session.jsonl': log(answer('x').slice(0, 2)) }
  expect(faultsOf(files)).toEqual([
    "session.jsonl:5: turn 1 step 1: the model's answer never finishes, so it cannot be replayed as it is. " +
      'Record it again, or set "overridden": true and write replay.override.json',
  ])
  const override = { 'input.json': input({ overridden: true }), 'replay.override.json': '[{"kind":"hang"}]' }
  expect(faultsOf({ ...files, ...override })).toEqual([])
})

test.each([
  ['[', 'replay.override.json:1:2: not JSON: expected a value or "]", got the end of the text'],
  [
    '[{"kind":"sleep"}]',
    "replay.override.json: 0.kind: Invalid discriminator value. Expected 'chunks' | 'throw' | 'hang'",
  ],
])('an override that cannot be parsed is a fault: %s', (text, fault) => {
  const files = { 'input.json': input({ overridden: true }), 'replay.override.json': text }
  const faults = faultsOf(files)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toBe(fault)
})

test('a request header that holds the system prompt or the tools is a fault', () => {
  expect(faultsOf({ 'session.jsonl': log(answer('x'), { system: 'You help.', tools: [] }) })).toEqual([
    'session.jsonl:2: request/header holds its system itself; a log has {{system}} there, and the scenario that pins ' +
      'the header class holds the text. REFRESH=1 rewrites it',
    'session.jsonl:2: request/header holds its tools itself; a log has {{tools}} there, and the scenario that pins ' +
      'the header class holds the text. REFRESH=1 rewrites it',
  ])
})

test('a request header without a system prompt and tools needs no tokens', () => {
  expect(faultsOf({ 'session.jsonl': log(answer('x'), { system: undefined, tools: undefined }) })).toEqual([])
})

test('a session header with real ids or a real directory is a fault', () => {
  expect(faultsOf({ 'session.jsonl': header({ id: '539aa64c', cwd: '/tmp/run', parentSession: '12ab' }) })).toEqual([
    "session.jsonl:1: the session's id changes on every run; use {{sessionId}} or {{sessionId.2}} …. REFRESH=1 rewrites it",
    "session.jsonl:1: the session's cwd changes on every run; use {{cwd}}. REFRESH=1 rewrites it",
    "session.jsonl:1: the session's parentSession changes on every run; use {{sessionId}} or {{sessionId.2}} …. REFRESH=1 rewrites it",
  ])
})

test('a session header may have numbered tokens, and a directory below {{cwd}}', () => {
  const child = header({ id: '{{sessionId.2}}', cwd: '{{cwd}}/sub', parentSession: '{{sessionId}}' })
  expect(faultsOf({ 'session.1.jsonl': child })).toEqual([])
})

describe('a path into a temp directory', () => {
  const fault = (path: string, more = '') =>
    `holds a path into a temp directory, ${path}${more}; it changes on every run; use {{cwd}} or {{home}}. ` +
    'If the user or the model chose this path, list it in "dataPaths" of input.json'

  test.each([
    ['/tmp/run-1/a.txt', '/tmp/run-1/a.txt'],
    ['see\n/tmp/run', '/tmp/run'],
    ['file:///private/tmp/run', '/private/tmp/run'],
    ['"/var/folders/bn/T/run"', '/var/folders/bn/T/run'],
    ['/private/var/folders/bn/x', '/private/var/folders/bn/x'],
    ['C:\\Users\\me\\AppData\\Local\\Temp\\run', 'C:\\\\Users\\\\me\\\\AppData\\\\Local\\\\Temp'],
    [JSON.stringify({ command: 'cat\n/tmp/run' }), '/tmp/run'],
  ])('is a fault in a golden: %j', (text, path) => {
    expect(faultsOf({ 'stdout.golden.jsonl': line({}) + line({ text }) })).toEqual([
      `stdout.golden.jsonl:2: ${fault(path)}`,
    ])
  })

  test.each([
    ['the shape of a key', `sk${'-a1b2c3d4e5f6g7h8i9j0k1l2'}`, undefined],
    ['a value of this machine', 'q7Lw-xR2m9Zk4bT8vN1', { values: [{ name: 'A_KEY', value: 'q7Lw-xR2m9Zk4bT8vN1' }] }],
  ])('is quoted without any part of a secret: %s', (_, secret, secrets) => {
    for (const before of [20, 30, 40, 45, 50]) {
      const text = `/tmp/${'x'.repeat(before)}/${secret}`
      const faults = faultsOf({ 'stdout.golden.jsonl': line({ text }) }, { secrets })
      expect(faults).toContainEqual(expect.stringContaining('holds a path into a temp directory, /tmp/xx'))
      for (let at = 0; at + 5 <= secret.length; at++) expect(faults.join('\n')).not.toContain(secret.slice(at, at + 5))
    }
  })

  test('is reported once for all lines of a log', () => {
    const [start = {}, delta = {}, end = {}, finish = {}] = answer('/tmp/a b')
    const usage = { inputTokens: 1, outputTokens: 1, in: '/tmp/a b' }
    const chunks = [start, delta, end, { type: 'usage', usage }, finish]
    expect(faultsOf({ 'session.jsonl': log(chunks) })).toEqual([
      `session.jsonl:5: ${fault('/tmp/a', ' (and on 2 more lines)')}`,
    ])
  })

  test.each(['{{cwd}}/tmp/x', 'src/tmp/x', './tmp/x', '/tmpfile', '/tmp', 'https://a.example/tmp/x', '/home/me/tmp/x'])(
    'is not found in %s',
    (text) => expect(faultsOf({ 'stdout.golden.jsonl': line({ text }) })).toEqual([]),
  )

  test.each([
    '/tmp/out.txt',
    '/private/tmp/out.txt',
    'file:///tmp/out.txt',
    'wrote /tmp/out.txt.',
    '/tmp/out.txt:3:1',
    '/tmp/out.txt/below',
    '(see /tmp/out.txt)',
  ])('is data if the script names it: %s', (text) => {
    const steps = [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'Write to `/tmp/out.txt`.' }]
    const files = { 'input.json': JSON.stringify({ steps }), 'stdout.golden.jsonl': line({ text }) }
    expect(faultsOf(files)).toEqual([])
    expect(faultsOf({ ...files, 'input.json': input({ dataPaths: ['/tmp/out.txt'] }) })).toEqual([])
  })

  test.each(['/tmp/out.txt2', '/tmp/out.txt.bak', '/tmp/out', '/var/tmp/out.txt', '/tmp/out.txt-1'])(
    'is not data because a similar path is: %s',
    (text) => {
      const files = { 'input.json': input({ dataPaths: ['/tmp/out.txt'] }), 'stdout.golden.jsonl': line({ text }) }
      expect(faultsOf({ ...files, 'session.jsonl': log(answer('/tmp/out.txt')) })).toEqual([
        `stdout.golden.jsonl:1: ${fault(text)}`,
      ])
    },
  )

  test('is found after a path that is data', () => {
    const files = {
      'input.json': input({ dataPaths: ['/tmp/out.txt'] }),
      'stdout.golden.jsonl': line({ text: '/tmp/out.txt /tmp/run' }),
    }
    expect(faultsOf(files)).toEqual([`stdout.golden.jsonl:1: ${fault('/tmp/run')}`])
  })

  test('is data in the header of a session that the script creates in this directory', () => {
    const steps = [{ op: 'initialize' }, { op: 'newSession', cwd: '/tmp/x' }]
    const files = { 'input.json': JSON.stringify({ steps }), 'session.jsonl': header({ cwd: '/tmp/x' }) }
    expect(faultsOf(files)).toEqual([])
  })

  test('is never data if it belongs to a run', () => {
    const dataPaths = ['/tmp/acp-0123456789ab/cwd/a']
    const files = { 'input.json': input({ dataPaths }), 'stdout.golden.jsonl': line({ text: dataPaths[0] }) }
    expect(faultsOf(files)).toEqual([
      'input.json:1: "dataPaths[0]" is a path of a run, /tmp/acp-0123456789ab/cwd/a; it changes on every run, so use {{cwd}}',
      `stdout.golden.jsonl:1: ${fault('/tmp/acp-0123456789ab/cwd/a')}`,
    ])
    const named = JSON.stringify({ steps: [{ op: 'initialize' }, { op: 'newSession', cwd: dataPaths[0] }] })
    expect(faultsOf({ ...files, 'input.json': named })).toHaveLength(1)
  })

  test('is allowed if a token replaces its random part', () => {
    const text = '/tmp/shot_{{tempName}}.jpg /private/tmp/{{tempName.2}}/a'
    expect(faultsOf({ 'stdout.golden.jsonl': line({ text }) })).toEqual([])
    const below = '/tmp/x/{{tempName}}'
    expect(faultsOf({ 'stdout.golden.jsonl': line({ text: below }) })).toEqual([
      `stdout.golden.jsonl:1: ${fault(below)}`,
    ])
  })

  test.each([
    ['/tmp/gone', 'is unused, /tmp/gone; no log and no golden of this scenario holds it, so remove it'],
    ['/home/me/x', 'is not a path into a temp directory, /home/me/x; list only such paths'],
    ['/tmp', 'is not a path into a temp directory, /tmp; list only such paths'],
  ])('must not be listed as data without need: %s', (path, problem) => {
    expect(faultsOf({ 'input.json': input({ dataPaths: [path] }) })).toEqual([
      `input.json:1: "dataPaths[0]" ${problem}`,
    ])
  })

  test('must not be listed as data twice', () => {
    const files = {
      'input.json': input({ dataPaths: ['/tmp/a', '/tmp/a'] }),
      'stdout.golden.jsonl': line({ text: '/tmp/a' }),
    }
    expect(faultsOf(files)).toEqual(['input.json:1: "dataPaths[1]" is listed twice, /tmp/a'])
  })

  test('may be listed as data before the golden exists, or while it is rewritten', () => {
    const files = { 'input.json': input({ dataPaths: ['/tmp/a'] }), 'stdout.golden.jsonl': undefined }
    expect(faultsOf(files, { action: 'update' })).toEqual([])
  })

  test('must be absolute if it is listed as data', () => {
    expect(faultsOf({ 'input.json': input({ dataPaths: ['out.txt'] }) })).toEqual([
      'input.json: "dataPaths[0]": must be an absolute path',
    ])
  })

  test('is allowed in the workspace and in the script', () => {
    const script = JSON.stringify({ steps: [{ op: 'initialize' }, { op: 'newSession', cwd: '/tmp/x' }] })
    expect(faultsOf({ 'workspace/a': '/tmp/x', 'input.json': script })).toEqual([])
  })
})

test.each(['input.json', 'session.jsonl', 'stdout.golden.jsonl'])('CRLF in %s is reported as one fault', (path) => {
  const sound: Record<string, string> = {
    'input.json': input(),
    'session.jsonl': log(),
    'stdout.golden.jsonl': '{}\n{}\n',
  }
  const text = `${sound[path]}\n`.replace(/\n\n$/, '\n').replaceAll('\n', '\r\n')
  expect(faultsOf({ [path]: text })).toEqual([
    `${path}:1: has a CRLF line ending; fixtures use LF. "__fixtures__/** text eol=lf" in .gitattributes keeps Git from changing them`,
  ])
})

test('CRLF is reported at the first line that has it, and is allowed in the workspace', () => {
  expect(faultsOf({ 'workspace/a.bat': 'x\r\n', 'stdout.golden.jsonl': '{}\n{}\r\n' })).toEqual([
    'stdout.golden.jsonl:2: has a CRLF line ending; fixtures use LF. "__fixtures__/** text eol=lf" in .gitattributes keeps Git from changing them',
  ])
})

test('a byte order mark is a fault', () => {
  expect(faultsOf({ 'input.json': `\uFEFF${input()}` })).toEqual([
    'input.json:1: begins with a byte order mark; save it as UTF-8 without one',
  ])
})

test('bytes that are not UTF-8 are a fault', () => {
  expect(faultsOf({ 'stdout.golden.jsonl': new Uint8Array([0x22, 0xff, 0x22]) })).toEqual([
    'stdout.golden.jsonl: is not UTF-8 text',
  ])
})

test('a golden line that is not JSON is a fault', () => {
  expect(faultsOf({ 'stdout.golden.jsonl': '{}\n<<<<<<< HEAD\n\n{}\n' })).toEqual([
    'stdout.golden.jsonl:2:1: not JSON: expected a value, got "<"; each line of a transcript is one value',
    'stdout.golden.jsonl:3:1: not JSON: expected a value, got the end of the text; each line of a transcript is one value',
  ])
})

test('tool schemas that are not JSON are a fault', () => {
  const files = {
    'input.json': input({ pinsHeader: true }),
    'system-prompt.golden.md': '',
    'tool-schemas.golden.json': '[,]',
  }
  expect(faultsOf(files)).toEqual(['tool-schemas.golden.json:1:2: not JSON: expected a value or "]", got ","'])
})
