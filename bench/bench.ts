import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { acp } from 'acp-agent-example/snapshot-options'
import { childEnv, createWorkplace } from 'jest-environment-acp/child'
import { Connection } from 'jest-environment-acp/client'
import { launchOf, parseOptions, runScenario } from 'jest-environment-acp/run'
import { readScenario } from 'jest-environment-acp/scenario'

/**
 * Prints one JSON line per measurement: the median wall time and the mean CPU time (user and system, of this process and
 * its children), in milliseconds.
 */
const ROOT = resolve(__dirname, '..')
const RUNS = 15
const SNAPSHOT_RUNS = 10
const SCENARIO = join(ROOT, '__fixtures__', 'tool-call-turn')

const options = parseOptions(acp, ROOT)
const scenario = readScenario(SCENARIO)
const scenarios = execFileSync('git', ['ls-files', '__fixtures__/*/input.json'], { cwd: ROOT })
  .toString()
  .trim()
  .split('\n').length

async function main(): Promise<void> {
  // Build the agent if necessary, so that no measurement includes it.
  await (await session('initialize'))()
  await measure('node -e 0', RUNS, () => run(['-e', '0']))
  await measure('node imports the ACP SDK', RUNS, () =>
    run(['--input-type=module', '-e', "await import('@agentclientprotocol/sdk')"]),
  )
  await measure('spawn → initialize response', RUNS, () => session('initialize'))
  await measure('spawn → session/new response', RUNS, () => session('session/new'))
  await measure('a replayed scenario (tool-call-turn)', RUNS, () => runScenario(scenario, options, { signal: never }))
  await measure(`all of snapshot (${scenarios} scenarios)`, SNAPSHOT_RUNS, () =>
    run([join('node_modules', 'jest', 'bin', 'jest.js'), '--selectProjects', 'snapshot', '--ci']),
  )
}

const never = new AbortController().signal

function run(args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${stderr}`)
}

/** Starts the agent and sends requests up to the given method. Returns its shutdown, which is not measured. */
async function session(until: string): Promise<() => Promise<void>> {
  const workplace = createWorkplace()
  const { cwd, home, sessions, tmp, report } = workplace
  const places = { cwd, home, sessions, tmp, report, fixture: SCENARIO }
  const launch = launchOf(options, { config: undefined, live: false, places })
  const ids = [0]
  const connection = await Connection.open({
    launch: { ...launch, env: childEnv(launch.env, workplace) },
    cwd,
    answer: () => ({ error: { code: -32601, message: 'Method not found' } }),
    nextId: () => ids.push(ids.length),
    onFrame: () => undefined,
  })
  await connection.peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
  if (until === 'session/new') await connection.peer.request('session/new', { cwd, mcpServers: [] })
  return async () => {
    await connection.close(5_000)
    workplace.remove()
  }
}

async function measure(name: string, runs: number, work: () => unknown): Promise<void> {
  const walls: number[] = []
  const cpuBefore = cpuMs()
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    const after = await work()
    walls.push(performance.now() - start)
    if (typeof after === 'function') await after()
  }
  const cpuAfter = cpuMs()
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? null : round((cpuAfter - cpuBefore) / runs)
  console.log(JSON.stringify({ name, runs, wallMs: round(median(walls)), cpuMs: cpu }))
}

/** CPU time of this process and its exited children. Only Linux reports it, in ticks of 10 ms. */
function cpuMs(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

void main()
