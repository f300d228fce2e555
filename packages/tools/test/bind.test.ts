import * as z from 'zod'
import { bindTool, unknownTool } from '../src/bind.ts'
import type { ToolContext, ToolOutcome } from '../src/call.ts'
import type { Tool } from '../src/tool.ts'

const parameters = z.strictObject({ path: z.string(), lines: z.int().positive().default(10) })

const head: Tool<z.infer<typeof parameters>> = {
  name: 'head',
  description: 'Shows the beginning of a file.',
  parameters,
  execute: async ({ path, lines }) => ({ content: [{ type: 'text', text: `${lines} of ${path}` }], isError: false }),
  presentCall: ({ path }) => ({ title: `Read ${path}`, kind: 'read', locations: [{ path }] }),
  presentResult: ({ path }, { isError }) => ({
    title: `${isError ? 'Could not read' : 'Read'} ${path}`,
    content: [{ type: 'diff', path, oldText: null, newText: 'x' }],
  }),
}

const call = (args: string) => ({ callId: 'c1', name: 'head', arguments: args })

function context(signal = new AbortController().signal): ToolContext {
  return { cwd: '/', signal, sessionId: 's1' }
}

const executing = (execute: Tool<z.infer<typeof parameters>>['execute'], signal?: AbortSignal) =>
  bindTool({ ...head, execute }).execute(call('{"path":"a"}'), context(signal))

const failed = (code: string, text: string, name = 'ToolError'): ToolOutcome => ({
  content: [{ type: 'text', text }],
  isError: true,
  error: { name, code },
})

describe('executing a call', () => {
  test('gives the tool its arguments, defaults filled in', async () => {
    const outcome = await bindTool(head).execute(call('{"path":"a.txt"}'), context())
    expect(outcome).toEqual({ content: [{ type: 'text', text: '10 of a.txt' }], isError: false })
  })

  test('tells the model when its arguments are not JSON', async () => {
    const outcome = await bindTool(head).execute(call('{"path":'), context())
    expect(outcome).toEqual(
      failed('BAD_JSON', 'The arguments of head are not valid JSON. Call it again with one JSON object.'),
    )
  })

  test('tells the model about every invalid argument', async () => {
    const outcome = await bindTool(head).execute(call('{"lines":0,"file":"a"}'), context())
    const text = [
      'The arguments of head are invalid:',
      '- path: Invalid input: expected string, received undefined',
      '- lines: Too small: expected number to be >0',
      '- Unrecognized key: "file"',
      'Fix them and call it again.',
    ].join('\n')
    expect(outcome).toEqual(failed('BAD_ARGUMENTS', text))
  })

  test.each(['null', '[]', '"text"'])('treats %s as invalid arguments', async (args) => {
    expect(await bindTool(head).execute(call(args), context())).toMatchObject({ error: { code: 'BAD_ARGUMENTS' } })
  })

  test('lists the tools when the model names an unknown one', async () => {
    const text = 'There is no tool named "head". The tools are: bash, todo_write.'
    expect(await unknownTool(['bash', 'todo_write']).execute(call('{}'), context())).toEqual(
      failed('UNKNOWN_TOOL', text),
    )
    expect(await unknownTool([]).execute(call('{}'), context())).toEqual(
      failed('UNKNOWN_TOOL', 'There is no tool named "head". There are no tools.'),
    )
  })

  test('turns an error that a tool throws, or rejects with, into an outcome', async () => {
    const atOnce = executing(() => {
      throw new RangeError('no such line')
    })
    expect(await atOnce).toEqual(failed('FAILED', 'no such line', 'RangeError'))
    expect(await executing(() => Promise.reject('odd'))).toEqual(failed('FAILED', 'odd'))
    expect(await executing(() => Promise.reject(new TypeError()))).toEqual(failed('FAILED', 'TypeError', 'TypeError'))
  })

  test('does not start a tool after the turn is cancelled', async () => {
    const execute = jest.fn(head.execute)
    expect(await executing(execute, AbortSignal.abort())).toEqual(failed('ABORTED', 'aborted'))
    expect(execute).not.toHaveBeenCalled()
  })

  test('reports a tool that throws because the turn was cancelled as aborted', async () => {
    const turn = new AbortController()
    const outcome = executing(async () => {
      turn.abort()
      throw turn.signal.reason
    }, turn.signal)
    expect(await outcome).toEqual(failed('ABORTED', 'aborted'))
  })

  test('keeps the outcome of a tool that ended although the turn was cancelled', async () => {
    const turn = new AbortController()
    const done = { content: [], isError: false, meta: { written: true } }
    const outcome = executing(async () => {
      turn.abort()
      return done
    }, turn.signal)
    expect(await outcome).toBe(done)
  })
})

describe('presenting a call', () => {
  test('is up to the tool', () => {
    expect(bindTool(head).presentCall(call('{"path":"a"}'))).toEqual({
      title: 'Read a',
      kind: 'read',
      locations: [{ path: 'a' }],
    })
  })

  test('falls back to the name and the arguments when the arguments are invalid', () => {
    expect(bindTool(head).presentCall(call('{"file":"a"}'))).toEqual({
      title: 'head',
      kind: 'other',
      rawInput: { file: 'a' },
    })
  })

  test('shows the raw string when the arguments are not JSON', () => {
    expect(bindTool(head).presentCall(call('{"path'))).toEqual({ title: 'head', kind: 'other', rawInput: '{"path' })
  })

  test('falls back for a tool that has no presentation, and for an unknown one', () => {
    const { name, description, execute } = head
    const generic = { title: 'head', kind: 'other', rawInput: { path: 'a' } }
    const plain = bindTool({ name, description, parameters, execute })
    expect(plain.presentCall(call('{"path":"a"}'))).toEqual(generic)
    expect(unknownTool([]).presentCall(call('{"path":"a"}'))).toEqual(generic)
  })
})

describe('presenting a result', () => {
  const outcome = failed('FAILED', 'gone')
  const plain = { content: [{ type: 'content', content: { type: 'text', text: 'gone' } }] }

  test('is up to the tool', () => {
    expect(bindTool(head).presentResult(call('{"path":"a"}'), outcome)).toEqual({
      title: 'Could not read a',
      content: [{ type: 'diff', path: 'a', oldText: null, newText: 'x' }],
    })
  })

  test('falls back to the unchanged text', () => {
    expect(bindTool(head).presentResult(call('{}'), outcome)).toEqual(plain)
    expect(unknownTool([]).presentResult(call('{}'), outcome)).toEqual(plain)
  })

  test('leaves out blocks that are not text', () => {
    const mixed = { ...outcome, content: [{ type: 'reasoning' as const, text: 'hm' }, ...outcome.content] }
    expect(unknownTool([]).presentResult(call('{}'), mixed)).toEqual(plain)
  })
})

describe('the schema for the model', () => {
  test('does not require a parameter with a default', () => {
    expect(bindTool(head).schema()).toEqual({
      name: 'head',
      description: 'Shows the beginning of a file.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          lines: { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 10 },
        },
        required: ['path'],
        additionalProperties: false,
      },
    })
  })

  test('is built once', () => {
    const bound = bindTool(head)
    expect(bound.schema()).toBe(bound.schema())
  })
})
