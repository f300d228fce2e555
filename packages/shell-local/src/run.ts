import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout } from 'node:timers/promises'
import type { RunOptions, ShellResult } from '@acp-snapshot/shell'
import { CappedText } from './capped-text.ts'
import { endGroup, GRACE_MS, whileLive } from './process-group.ts'
import { shellEnvironment } from './shell-environment.ts'
import { spawnShell } from './spawn-shell.ts'

/** {@link RunOptions} with both limits set. */
export interface LimitedRunOptions extends RunOptions {
  timeoutMs: number
  maxOutputBytes: number
}

type Cause = 'exited' | 'timed out' | 'aborted'

/**
 * Runs one command as a child of this process. When its shell ends, for any reason, it stops the rest of the process
 * group too: background processes do not outlive their command.
 *
 * @throws Error when `cwd` is not a directory, or the shell cannot be started
 */
export async function run(command: string, options: LimitedRunOptions): Promise<ShellResult> {
  await requireDirectory(options.cwd)
  const output = new CappedText(options.maxOutputBytes)
  if (options.signal.aborted) return toResult('aborted', undefined, output, options)

  const child = spawnShell(command, options.cwd, shellEnvironment(process.env, options.env))
  const flush = [child.stdout, child.stderr].map((stream) => collect(stream, output))
  await once(child, 'spawn')
  const cause = await supervise(child, options)
  for (const end of flush) end()
  return toResult(cause, child, output, options)
}

async function requireDirectory(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw new Error(`cannot run a command in ${path}: it is not a directory`)
}

/** Adds the stream to the output. The returned function stops reading, and adds a replacement for an unfinished character. */
function collect(stream: Readable | null, output: CappedText): () => void {
  const decoder = new StringDecoder('utf8')
  stream?.on('data', (bytes: Buffer) => output.add(decoder.write(bytes)))
  return () => {
    stream?.destroy()
    output.add(decoder.end())
  }
}

/** Waits until the command ends, or stops it; then stops the rest of its process group. */
async function supervise(child: ChildProcess, limits: LimitedRunOptions): Promise<Cause> {
  const leader = child.pid
  if (leader === undefined) throw new Error('the shell has no process id, though it was started')
  const closed = once(child, 'close')
  return whileLive(leader, async () => {
    const cause = await firstCause(child, limits)
    if (cause === 'exited') await within(GRACE_MS, closed)
    await endGroup(leader)
    // With a limit: a process that left the group may hold the pipe open.
    await within(GRACE_MS, closed)
    return cause
  })
}

async function firstCause(child: ChildProcess, { signal, timeoutMs }: LimitedRunOptions): Promise<Cause> {
  if (signal.aborted) return 'aborted'
  const settled = new AbortController()
  const until = { signal: settled.signal }
  try {
    return await Promise.race([
      once(child, 'exit', until).then(() => 'exited' as const),
      once(signal, 'abort', until).then(() => 'aborted' as const),
      setTimeout(timeoutMs, 'timed out' as const, until),
    ])
  } finally {
    settled.abort()
  }
}

async function within(ms: number, event: Promise<unknown>): Promise<void> {
  const settled = new AbortController()
  await Promise.race([event, setTimeout(ms, undefined, { signal: settled.signal })])
  settled.abort()
}

function toResult(
  cause: Cause,
  child: ChildProcess | undefined,
  output: CappedText,
  { timeoutMs }: LimitedRunOptions,
): ShellResult {
  return {
    output: output.text,
    exitCode: child?.exitCode ?? null,
    signal: child?.signalCode ?? null,
    timeoutMs,
    timedOut: cause === 'timed out',
    truncated: output.truncated,
    outputBytes: output.bytes,
    aborted: cause === 'aborted',
  }
}
