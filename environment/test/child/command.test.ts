import { Command } from '../../src/child/index.ts'
import { until } from './drive.ts'

function start(script: string): Promise<Command> {
  const env = { PATH: process.env.PATH ?? '' }
  return Command.spawn({ command: '/bin/sh', args: ['-c', script], cwd: '/', env }, 1000)
}

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('shows a character when all its bytes have come, and the rest of one at the end', async () => {
  const command = await start("printf 'a\\303'; exec sleep 604800")
  await until(() => command.output.text !== '', 'the output has come')
  expect(command.output.text).toBe('a')
  await command.end()
  expect(command.output.text).toBe('a\uFFFD')
})

onLinux('closes its pipes at the end, also if a process that left its group holds them open', async () => {
  const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
  const before = pipes()
  const command = await start(`setsid sh -c 'echo $$; exec sleep 604800' & wait`)
  await until(() => command.output.text.endsWith('\n'), 'the daemon has started')
  expect(pipes()).toBeGreaterThan(before)
  await command.end()
  process.kill(Number(command.output.text), 'SIGKILL')
  expect(pipes()).toBe(before)
})
