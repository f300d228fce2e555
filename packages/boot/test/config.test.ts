import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Agent,
  clearUp,
  newPlace,
  plugin,
  startAgent,
  startBin,
  writeConfig,
} from '@acp-snapshot/testing/start-agent'

afterEach(clearUp)

const chatty = plugin('chatty.mjs')

/** Starts an agent that consists of `chatty` plugins, and returns the config that each of them got. */
async function configured(config: string | object, env: Record<string, string> = {}, place = newPlace()) {
  const agent = await startAgent({ place, config: writeConfig(place, config), env })
  return configsOf(agent)
}

async function configsOf(agent: Agent) {
  expect(await agent.end()).toEqual({ code: 0, signal: null })
  return agent.stderr
    .split('\n')
    .filter((line) => line.startsWith('config '))
    .map((line): unknown => JSON.parse(line.slice('config '.length)))
}

describe('!env', () => {
  const config = `plugins: [{ id: a, name: '${chatty}', config: { deep: [{ luck: !env [LUCK, 'none, so far'] }] } }]`

  test('becomes the value of the variable', async () => {
    await expect(configured(config, { LUCK: 'good' })).resolves.toEqual([{ deep: [{ luck: 'good' }] }])
  })

  test('becomes the default if the variable is not set', async () => {
    await expect(configured(config)).resolves.toEqual([{ deep: [{ luck: 'none, so far' }] }])
  })

  test('becomes an empty value, not the default, if the variable is empty', async () => {
    await expect(configured(config, { LUCK: '' })).resolves.toEqual([{ deep: [{ luck: '' }] }])
  })
})

describe('--env-file', () => {
  test('sets the variables of a file, but does not overwrite any', async () => {
    const place = newPlace()
    const config = writeConfig(place, `plugins: [{ id: a, name: '${chatty}', config: [!env A, !env B] }]`)
    const envFile = writeConfig(place, 'A=file\nB=file\n', '.env')
    const agent = await startBin(['--config', config, '--env-file', envFile], place, { A: 'host' })
    await expect(configsOf(agent)).resolves.toEqual([['host', 'file']])
  })
})

describe('an overlay', () => {
  const base = `
    plugins:
      - { id: a, name: '${chatty}', config: { of: a } }
      - { id: b, name: '${chatty}', config: { of: b, luck: !env LUCK } }
  `
  const overlaid = (patches: object[]) => {
    const place = newPlace()
    writeConfig(place, base, 'base.yml')
    return configured({ include: './base.yml', patches }, {}, place)
  }
  const disableB = { disable: { id: 'b', name: chatty } }

  test('disables a plugin, so its variables need not be set', async () => {
    await expect(overlaid([disableB])).resolves.toEqual([{ of: 'a' }])
  })

  test('replaces the whole config of a plugin', async () => {
    const patches = [disableB, { replace: { id: 'a', name: chatty, config: { now: 'this' } } }]
    await expect(overlaid(patches)).resolves.toEqual([{ now: 'this' }])
  })

  test('inserts a plugin after the others', async () => {
    const patches = [disableB, { insert: { id: 'c', name: chatty, config: { of: 'c' } } }]
    await expect(overlaid(patches)).resolves.toEqual([{ of: 'a' }, { of: 'c' }])
  })

  test('includes a file in another directory, from which its plugin names are resolved', async () => {
    const place = newPlace()
    const dir = join(place.root, 'elsewhere')
    mkdirSync(dir)
    writeFileSync(join(dir, 'near.mjs'), `export const apply = () => console.log('config "near"')`)
    writeFileSync(join(dir, 'base.yml'), 'plugins: [{ id: near, name: ./near.mjs }]')
    await expect(configured({ include: './elsewhere/base.yml', patches: [] }, {}, place)).resolves.toEqual(['near'])
  })
})
