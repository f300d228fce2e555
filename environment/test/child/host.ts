// Stands for a Jest worker, in reaper.test.ts: makes two workplaces with a stubborn agent each, starts a command outside
// of them, says what there is to clear up, and does what its stdin says: "more" makes one more workplace and says all again, "tidy" shuts down, removes
// everything, and ends by itself, "exit" ends at once.

import { once } from 'node:events'
import { Command, createWorkplace, shutdown } from '../../src/child/index.ts'
import { drive, pidsOf, reapers, until } from './drive.ts'

async function main(): Promise<void> {
  const driven = [await drive('stubborn'), await drive('grandchild-escapes')]
  const script = { command: '/bin/sh', args: ['-c', 'echo $$; exec sleep 604800'] }
  const command = await Command.spawn({ ...script, cwd: '/', env: { PATH: process.env.PATH ?? '' } }, 100)
  await until(() => command.output.text.endsWith('\n'), 'the command tells its pid')
  const pids = [...(await Promise.all(driven.map(pidsOf))).flat(), Number(command.output.text)]
  const unused = [createWorkplace()]
  let order: string
  do {
    process.stdout.write(`${JSON.stringify({ pid: process.pid, pids, reapers: reapers() })}\n`)
    order = String((await once(process.stdin, 'data'))[0])
    if (order === 'more') unused.push(createWorkplace())
  } while (order === 'more')
  process.stdin.unref()
  if (order === 'exit') process.exit(0)

  await command.end()
  for (const { remove } of unused) remove()
  for (const { agent, workplace } of driven) {
    await shutdown(agent, { graceMs: 50 })
    workplace.remove()
  }
  // Whoever is signalled from here on may be a stranger, under a pid that was ours.
  process.kill = () => {
    process.exitCode = 9
    return true
  }
}

main()
