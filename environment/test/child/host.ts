// Stands for a Jest worker, in reaper.test.ts: makes two workplaces with a stubborn agent each, says what there is to
// clear up, and does what its stdin says: "more" makes one more workplace and says all again, "tidy" shuts down, removes
// everything, and ends by itself, "exit" ends at once.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createWorkplace, shutdown } from '../../src/child/index.ts'
import { drive, pidsOf } from './drive.ts'

async function main(): Promise<void> {
  const driven = [await drive('stubborn'), await drive('grandchild-escapes')]
  const pids = (await Promise.all(driven.map(pidsOf))).flat()
  const unused = [createWorkplace()]
  let order: string
  do {
    process.stdout.write(`${JSON.stringify({ pid: process.pid, pids, reapers: reapers() })}\n`)
    order = String((await once(process.stdin, 'data'))[0])
    if (order === 'more') unused.push(createWorkplace())
  } while (order === 'more')
  process.stdin.unref()
  if (order === 'exit') process.exit(0)

  for (const { remove } of unused) remove()
  for (const { agent, workplace } of driven) {
    await shutdown(agent, { graceMs: 50 })
    workplace.remove()
  }
}

/** The pids of this process's reapers: one, if all is well. */
function reapers(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reaper-process.cjs'))
}

main()
