import { runProbe } from '@acp-snapshot/testing/run-probe'

const text = (value: string) => ({ type: 'content', content: { type: 'text', text: value } })

describe('the bash tool', () => {
  const seen = runProbe(__dirname, 'plugin.probe.ts')

  test('is registered while a shell is available', () => {
    expect(seen).toMatchObject({ schemas: [{ name: 'bash' }], withoutShell: [] })
  })

  test('asks the model for a command and a description', () => {
    const parameters = {
      required: ['command', 'description'],
      properties: { timeoutMs: { type: 'integer', maximum: 600_000 } },
    }
    expect(seen).toMatchObject({ schemas: [{ parameters }] })
  })

  test('runs a command, and shows its output and exit code', () => {
    const fails = {
      call: { title: 'echo out; echo err >&2; exit 3', kind: 'execute', content: [text('Print and fail')] },
      outcome: { isError: false, content: [{ type: 'text', text: 'out\nerr\n[exit code: 3]' }] },
      result: { content: [text('```console\nout\nerr\n[exit code: 3]\n```')] },
    }
    expect(seen).toMatchObject({ calls: { fails } })
  })

  test('stops a command at the time limit of the call', () => {
    const content = [{ type: 'text', text: 'begun\n[timed out after 200 ms]' }]
    expect(seen).toMatchObject({ calls: { slow: { outcome: { isError: true, error: { code: 'TIMEOUT' }, content } } } })
  })

  test('rejects a time limit above ten minutes', () => {
    expect(seen).toMatchObject({ calls: { tooSlow: { outcome: { error: { code: 'BAD_ARGUMENTS' } } } } })
  })

  test('shows a call without a description by its name, and its result as plain text', () => {
    const undescribed = {
      call: { title: 'bash', kind: 'other', rawInput: { command: 'true' } },
      outcome: { isError: true, error: { code: 'BAD_ARGUMENTS' } },
      result: { content: [text(expect.stringMatching(/^The arguments of bash are invalid:\n- description: /))] },
    }
    expect(seen).toMatchObject({ calls: { undescribed } })
  })
})
