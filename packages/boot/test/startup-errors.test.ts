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

/** Starts the agent with a config file, and expects exit code 1, exactly this line on stderr, and an empty stdout. */
async function expectRejection(config: string | object, expected: (file: string) => string, place = newPlace()) {
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

  test('without --config is rejected, with the usage', async () => {
    const stderr = 'acp-agent: --config is missing; usage: acp-agent --config FILE [--env-file FILE]\n'
    await expect(start()).resolves.toEqual({ exit: { code: 1, signal: null }, stderr })
  })

  test('with an unknown option is rejected', async () => {
    const { exit, stderr } = await start('--confg', 'x.yml')
    expect(exit.code).toBe(1)
    expect(stderr).toMatch(/^acp-agent: Unknown option '--confg'.*usage: acp-agent --config FILE.*\n$/)
  })

  test('with a missing config file is rejected, and the error names the file', async () => {
    const file = join(newPlace().root, 'none.yml')
    const stderr = `acp-agent: cannot read the config: ENOENT: no such file or directory, open '${file}'\n`
    await expect(start('--config', file)).resolves.toEqual({ exit: { code: 1, signal: null }, stderr })
  })
})

describe('a config file', () => {
  test('that is not YAML is rejected, with the position', async () => {
    const place = newPlace()
    const { exit, stderr } = await failedStart({ place, config: writeConfig(place, 'plugins: [\n') })
    expect(exit.code).toBe(1)
    expect(stderr).toMatch(/^acp-agent: \S+config\.yml: .*\(2:1\)\n$/)
  })

  test('with an unknown key is rejected', async () => {
    const config = { plugins: [{ id: 'llm', name: '@acp-snapshot/llm', confg: {} }] }
    await expectRejection(config, (file) => `${file}: ✖ Unrecognized key: "confg" → at plugins[0]`)
  })

  test('with two plugins of the same id is rejected', async () => {
    const llm = { id: 'llm', name: '@acp-snapshot/llm' }
    await expectRejection({ plugins: [llm, llm] }, (file) => `${file}: two plugins have the id llm`)
  })

  test('that inserts a plugin with an existing id is rejected', async () => {
    const config = { include: AGENT_CONFIG, patches: [{ insert: { id: 'llm', name: plugin('chatty.mjs') } }] }
    await expectRejection(config, (file) => `${file}: two plugins have the id llm`)
  })

  test('that includes a missing file is rejected', async () => {
    const place = newPlace()
    const none = join(place.root, 'none.yml')
    const why = `cannot read the config: ENOENT: no such file or directory, open '${none}'`
    await expectRejection({ include: './none.yml', patches: [] }, () => why, place)
  })

  test('that needs an unset variable is rejected', async () => {
    const config = `plugins: [{ id: chatty, name: '${plugin('chatty.mjs')}', config: { luck: !env LUCK } }]`
    const why = 'plugin chatty needs the environment variable LUCK, which is not set'
    await expectRejection(config, (file) => `${file}: ${why}`)
  })

  test('with a patch for an unknown id is rejected', async () => {
    const config = { include: AGENT_CONFIG, patches: [{ disable: { id: 'none', name: '@acp-snapshot/none' } }] }
    const why = 'patch 1 (disable) matches no plugin: expected id none with name @acp-snapshot/none'
    await expectRejection(config, (file) => `${file}: ${why}`)
  })

  test('with a patch whose id and name do not belong together is rejected, with a hint', async () => {
    const replace = { id: 'agent', name: '@acp-snapshot/acp', config: {} }
    const why =
      'patch 1 (replace) matches no plugin: expected id agent with name @acp-snapshot/acp; found id agent with name @acp-snapshot/agent'
    await expectRejection({ include: AGENT_CONFIG, patches: [{ replace }] }, (file) => `${file}: ${why}`)
  })
})

describe('a plugin', () => {
  test('that cannot be found is named in the error', async () => {
    const why = 'plugin ./none.mjs (id extra) cannot be found from this file'
    await expectRejection(withPlugin('./none.mjs'), (file) => `${file}: ${why}`)
  })

  test('that cannot be imported is named in the error, with the reason', async () => {
    const broken = plugin('broken.mjs')
    const why = `was not loaded: Cannot find package 'no-such-library' imported from ${broken}`
    await expectRejection(withPlugin(broken), (file) => `${file}: plugin ${broken} (id extra) ${why}`)
  })

  test('that throws is named in the error, with its message on one line', async () => {
    const throws = plugin('throws.mjs')
    const why = 'failed: out of luck, and of words'
    await expectRejection(withPlugin(throws), (file) => `${file}: plugin ${throws} (id extra) ${why}`)
  })

  test('that rejects its config is named in the error, with the path of the wrong value', async () => {
    const replace = { id: 'acp', name: '@acp-snapshot/acp', config: { agent: { name: 'x', version: 1 } } }
    const why = 'failed: invalid config: - Invalid input: expected string, received number (at agent.version)'
    const config = {
      include: AGENT_CONFIG,
      patches: [{ disable: { id: 'replay', name: '@acp-snapshot/llm-replay' } }, { replace }],
    }
    await expectRejection(config, (file) => `${file}: plugin @acp-snapshot/acp (id acp) ${why}`)
  })

  test('that waits for a service that nobody provides is named in the error, with the service', async () => {
    const needy = plugin('needy.mjs')
    const why = 'waits for luck, which no plugin provides'
    await expectRejection(withPlugin(needy), (file) => `${file}: plugin ${needy} (id extra) ${why}`)
  })

  test('that fails is reported rather than one that waits for it', async () => {
    const plugins = [
      { id: 'tools', name: toolsPlugin },
      { id: 'needy', name: plugin('needy.mjs') },
      { id: 'source', name: plugin('no-luck.mjs') },
    ]
    const why = `plugin ${plugin('no-luck.mjs')} (id source) failed: no luck to give`
    await expectRejection({ plugins }, (file) => `${file}: ${why}`)
  })

  test('whose fixture is invalid is named in the error, with the file', async () => {
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
