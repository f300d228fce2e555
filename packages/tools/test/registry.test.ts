import { runProbe } from '@acp-snapshot/testing/run-probe'

describe('ctx.tools', () => {
  const seen = runProbe(__dirname, 'registry.probe.ts')

  test('lists the tools by name, in any order of loading', () => {
    expect(seen).toMatchObject({ sorted: ['ant', 'zebra'] })
  })

  test('rejects a second tool of the same name, and names the plugin of the first', () => {
    expect(seen).toMatchObject({ errors: ['tool "zebra" is already registered by plugin late'] })
  })

  test('drops a tool when the plugin that registered it is disposed', () => {
    const text = 'There is no tool named "ant". The tools are: zebra.'
    expect(seen).toMatchObject({
      afterDisposal: ['zebra'],
      gone: { isError: true, error: { code: 'UNKNOWN_TOOL' }, content: [{ type: 'text', text }] },
    })
  })

  test('lets another plugin register the name of a dropped tool', () => {
    expect(seen).toMatchObject({ answer: { isError: false, content: [{ type: 'text', text: 'heir' }] } })
  })
})
