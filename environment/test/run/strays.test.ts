import { failureOf, run } from './support.ts'

// Such a process is found in /proc.
const onLinux = process.platform === 'linux' ? test : test.skip

onLinux.each([
  ['daemon', 'sleep 604800'],
  ['works-on', '/bin/sleep 604801'],
  ['grandchild-escapes', 'hold-out.mjs'],
])('%s: a process that outlives the agent fails the scenario, is named and is killed', async (agent, command) => {
  const message = await failureOf({ agent })
  expect(message).toContain('expected every process that the agent started to exit before it')
  expect(message).toContain(command)
  expect(message).toMatch(/\(pid \d+\)/)
})

test.each(['echo', 'leaves-child'])('%s: an agent that leaves no process outside its group passes', async (agent) => {
  await expect(run({ agent })).resolves.toBeDefined()
})
