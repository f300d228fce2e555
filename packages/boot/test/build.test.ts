import { createHash } from 'node:crypto'
import { chmodSync, existsSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { clearUp, failedStart, newPlace, startAgent } from '@acp-snapshot/testing/start-agent'
import { copySources } from './source-copy.ts'

afterEach(clearUp)

const PROMPT_CAPABILITIES = 'image: false, audio: false'

function freshCopy() {
  const place = newPlace()
  const copy = copySources(place)
  const options = { place, replay: [], bin: copy.bin, config: copy.config }
  const announced = async () => {
    const agent = await startAgent(options)
    const response = await agent.initialize()
    await agent.end()
    return response
  }
  return { ...copy, options, announced }
}

test('the next start runs an edited source file, and after the edit is undone, the original', async () => {
  const { edit, announced } = freshCopy()
  const image = (image: boolean) => ({ result: { agentCapabilities: { promptCapabilities: { image } } } })
  await expect(announced()).resolves.toMatchObject(image(false))
  edit('acp/src/bridge.ts', PROMPT_CAPABILITIES, 'image: true, audio: false')
  await expect(announced()).resolves.toMatchObject(image(true))
  edit('acp/src/bridge.ts', 'image: true, audio: false', PROMPT_CAPABILITIES)
  await expect(announced()).resolves.toMatchObject(image(false))
})

test('a source file with a syntax error stops the start, with its position', async () => {
  const { edit, options, announced } = freshCopy()
  await announced()
  edit('agent/src/loop.ts', 'export class AgentLoop', 'export klass AgentLoop')
  const { exit, stderr } = await failedStart(options)
  expect(exit).toEqual({ code: 1, signal: null })
  expect(stderr).toMatch(/^acp-agent: cannot build the agent: /)
  expect(stderr).toMatch(/agent\/src\/loop\.ts:\d+:\d+: ERROR: /)
})

test('several starts at once without a build all succeed', async () => {
  const { announced } = freshCopy()
  const responses = await Promise.all([announced(), announced(), announced()])
  for (const response of responses) expect(response).toMatchObject({ result: { protocolVersion: 1 } })
})

test('if node_modules is read-only, the build is kept in a private directory', async () => {
  const { announced, bin } = freshCopy()
  const packages = realpathSync(join(dirname(bin), '..', '..'))
  const libraries = join(packages, '..', 'node_modules')
  // The mode does not stop root. A file where the cache should be does.
  writeFileSync(join(libraries, '.cache'), '')
  chmodSync(libraries, 0o555)
  const name = `acp-agent-${createHash('sha256').update(packages).digest('hex').slice(0, 16)}`
  const caches = [join(userInfo().homedir, '.cache', name), join('/tmp', `${name}-${process.getuid?.()}`)]
  try {
    await expect(announced()).resolves.toMatchObject({ result: { protocolVersion: 1 } })
    const cache = caches.find((dir) => existsSync(dir)) ?? ''
    expect(statSync(cache).mode & 0o777).toBe(0o700)
    const built = statSync(cache).mtimeMs
    await expect(announced()).resolves.toMatchObject({ result: { protocolVersion: 1 } })
    expect(statSync(cache).mtimeMs).toBe(built)
  } finally {
    for (const dir of caches) rmSync(dir, { recursive: true, force: true })
    chmodSync(libraries, 0o755)
  }
})
