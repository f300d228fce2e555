import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  AGENT_CONFIG,
  clearUp,
  failedStart,
  newPlace,
  plugin,
  startBin,
  writeConfig,
} from '@acp-snapshot/testing/start-agent'

afterAll(clearUp)

const toolsPlugin = require.resolve('@acp-snapshot/tools')

/** Starts the agent with one config file, and expects it to end with this one line on stderr, and nothing on stdout. */
async function expectRefusal(config: string | object, expected: (file: string) => string, place = newPlace()) {
  const file = writeConfig(place, config)
  const { exit, stderr, stdout } = await failedStart({ place, config: file })
  expect(stderr).toBe(`acp-agent: ${expected(file)}\n`)
  expect(exit).toEqual({ code: 1, signal: null })
  expect(stdout).toEqual([])
}

const withPlugin = (name: string, config?: unknown) => ({
  include: AGENT_CONFIG,
  patches: [
    { disable: { id: 'replay', name: '@acp-snapshot/llm-replay' } },
    { insert: { id: 'extra', name, ...(config !== undefined && { config }) } },
  ],
})

describe('the command line', () => {
  const start = async (...args: string[]) => {
    const agent = await startBin(args)
    return { exit: await agent.exit(), stderr: agent.stderr }
  }

  test('without --config is refused, with the usage', async () => {
    const stderr = 'acp-agent: --config is missing; usage: acp-agent --config FILE [--env-file FILE]\n'
    await expect(start()).resolves.toEqual({ exit: { code: 1, signal: null }, stderr })
  })

  test('with an unknown option is refused', async () => {
    const { exit, stderr } = await start('--confg', 'x.yml')
    expect(exit.code).toBe(1)
    expect(stderr).toMatch(/^acp-agent: Unknown option '--confg'.*usage: acp-agent --config FILE.*\n$/)
  })

  test('with a config file that is not there is refused, and the file named', async () => {
    const file = join(newPlace().root, 'none.yml')
    const stderr = `acp-agent: cannot read the config: ENOENT: no such file or directory, open '${file}'\n`
    await expect(start('--config', file)).resolves.toEqual({ exit: { code: 1, signal: null }, stderr })
  })
})

describe('a config file', () => {
  test('that is no YAML is refused', async () => {
    const place = newPlace()
    const { exit, stderr } = await failedStart({ place, config: writeConfig(place, 'plugins: [\n') })
    expect(exit.code).toBe(1)
    expect(stderr).toMatch(/^acp-agent: \S+config\.yml: .*\(2:1\)\n$/)
  })

  test('with a key that is not known is refused', async () => {
    const config = { plugins: [{ id: 'llm', name: '@acp-snapshot/llm', confg: {} }] }
    await expectRefusal(config, (file) => `${file}: ✖ Unrecognized key: "confg" → at plugins[0]`)
  })

  test('with two plugins of one id is refused', async () => {
    const llm = { id: 'llm', name: '@acp-snapshot/llm' }
    await expectRefusal({ plugins: [llm, llm] }, (file) => `${file}: two plugins have the id llm`)
  })

  test('that inserts a plugin of an id that is taken is refused', async () => {
    const config = { include: AGENT_CONFIG, patches: [{ insert: { id: 'llm', name: plugin('chatty.mjs') } }] }
    await expectRefusal(config, (file) => `${file}: two plugins have the id llm`)
  })

  test('that includes a file that is not there is refused', async () => {
    const place = newPlace()
    const none = join(place.root, 'none.yml')
    const why = `cannot read the config: ENOENT: no such file or directory, open '${none}'`
    await expectRefusal({ include: './none.yml', patches: [] }, () => why, place)
  })

  test('that needs a variable which is not set is refused', async () => {
    const config = `plugins: [{ id: chatty, name: '${plugin('chatty.mjs')}', config: { luck: !env LUCK } }]`
    const why = 'plugin chatty needs the environment variable LUCK, which is not set'
    await expectRefusal(config, (file) => `${file}: ${why}`)
  })

  test('with a patch whose id no plugin has is refused', async () => {
    const config = { include: AGENT_CONFIG, patches: [{ disable: { id: 'none', name: '@acp-snapshot/none' } }] }
    const why = 'patch 1 (disable) matches no plugin: id none with name @acp-snapshot/none'
    await expectRefusal(config, (file) => `${file}: ${why}`)
  })

  test('with a patch whose name is not that of its id is refused, with a hint', async () => {
    const replace = { id: 'agent', name: '@acp-snapshot/acp', config: {} }
    const why =
      'patch 1 (replace) matches no plugin: id agent with name @acp-snapshot/acp; there is id agent with name @acp-snapshot/agent'
    await expectRefusal({ include: AGENT_CONFIG, patches: [{ replace }] }, (file) => `${file}: ${why}`)
  })
})

describe('a plugin', () => {
  test('that cannot be found is named', async () => {
    const why = 'plugin ./none.mjs (id extra) cannot be found from there'
    await expectRefusal(withPlugin('./none.mjs'), (file) => `${file}: ${why}`)
  })

  test('that cannot be imported is named, with the reason', async () => {
    const broken = plugin('broken.mjs')
    const why = `was not loaded: Cannot find package 'no-such-library' imported from ${broken}`
    await expectRefusal(withPlugin(broken), (file) => `${file}: plugin ${broken} (id extra) ${why}`)
  })

  test('that throws is named, with what it said, in one line', async () => {
    const throws = plugin('throws.mjs')
    const why = 'failed: out of luck, and of words'
    await expectRefusal(withPlugin(throws), (file) => `${file}: plugin ${throws} (id extra) ${why}`)
  })

  test('that refuses its config is named, with the path', async () => {
    const replace = { id: 'acp', name: '@acp-snapshot/acp', config: { agent: { name: 'x', version: 1 } } }
    const why = 'failed: invalid config: - Invalid input: expected string, received number (at agent.version)'
    const config = {
      include: AGENT_CONFIG,
      patches: [{ disable: { id: 'replay', name: '@acp-snapshot/llm-replay' } }, { replace }],
    }
    await expectRefusal(config, (file) => `${file}: plugin @acp-snapshot/acp (id acp) ${why}`)
  })

  test('that waits for a service without a provider is named, with the service', async () => {
    const needy = plugin('needy.mjs')
    const why = 'waits for luck, which no plugin provides'
    await expectRefusal(withPlugin(needy), (file) => `${file}: plugin ${needy} (id extra) ${why}`)
  })

  test('that fails is named before one that waits for it', async () => {
    const plugins = [
      { id: 'tools', name: toolsPlugin },
      { id: 'needy', name: plugin('needy.mjs') },
      { id: 'source', name: plugin('no-luck.mjs') },
    ]
    const why = `plugin ${plugin('no-luck.mjs')} (id source) failed: no luck to give`
    await expectRefusal({ plugins }, (file) => `${file}: ${why}`)
  })

  test('whose fixture cannot be read is named, with the file', async () => {
    const place = newPlace()
    const log = join(place.root, 'fixture', 'session.jsonl')
    mkdirSync(dirname(log))
    writeFileSync(log, '')
    const { stderr, exit } = await failedStart({ place })
    const why = `${log}:1: the log is empty; line 1 must be the session header`
    expect(stderr).toBe(`acp-agent: ${AGENT_CONFIG}: plugin @acp-snapshot/llm-replay (id replay) failed: ${why}\n`)
    expect(exit.code).toBe(1)
  })
})
