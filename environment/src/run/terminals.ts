import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Command, type Exit, type PinnedCommand } from '../child/index.ts'
import { isBelow } from '../io/regular-file.ts'
import { inspect } from '../scenario-error.ts'
import { isRecord, type Response } from './message.ts'
import { countIn, InvalidParamsError, type Params } from './params.ts'
import { resourceNotFound } from './refused.ts'

interface TerminalsOptions {
  /** The directory of a command that names none: that of its session. */
  cwdOf: (sessionId: unknown) => string
  /** A command may name a directory in here. */
  root: string
  /** The agent's own environment. */
  env: () => Record<string, string>
  /** The position of a session among those of the run, from 1; 0 for an unknown one. */
  ordinalOf: (sessionId: unknown) => number
}

/** How much output is kept of a command, whatever `outputByteLimit` says. */
const MAX_OUTPUT_BYTES = 1024 ** 2

/** Answers `terminal/*`: the commands really run, each in its own process group, until they are released. */
export class Terminals {
  readonly #options: TerminalsOptions
  readonly #commands = new Map<string, Command>()
  /** The commands that are just being started. */
  readonly #starting = new Set<Promise<Command>>()
  /** How many terminals each session has created. */
  readonly #created = new Map<number, number>()

  constructor(options: TerminalsOptions) {
    this.#options = options
  }

  /** @throws InvalidParamsError, and Error when the command cannot be started */
  async create(params: Params): Promise<Response> {
    const starting = Command.spawn(this.#commandIn(params), limitIn(params))
    this.#starting.add(starting)
    const terminalId = this.#nextId(params.sessionId)
    try {
      this.#commands.set(terminalId, await starting)
      return { result: { terminalId } }
    } finally {
      this.#starting.delete(starting)
    }
  }

  output(params: Params): Response | Promise<Response> {
    return this.#with(params, async (command) => {
      const { text, truncated } = command.output
      const exitStatus = command.hasExited ? statusOf(await command.exited) : undefined
      return { result: { output: text, truncated, ...(exitStatus && { exitStatus }) } }
    })
  }

  waitForExit(params: Params): Response | Promise<Response> {
    return this.#with(params, async (command) => ({ result: statusOf(await command.exited) }))
  }

  kill(params: Params): Response | Promise<Response> {
    return this.#with(params, async (command) => {
      command.kill()
      return { result: {} }
    })
  }

  release(params: Params): Response | Promise<Response> {
    return this.#with(params, async (command, id) => {
      this.#commands.delete(id)
      await command.end()
      return { result: {} }
    })
  }

  /** Releases all terminals, as an editor does when the connection ends. */
  async releaseAll(): Promise<void> {
    await Promise.allSettled(this.#starting)
    const all = [...this.#commands.values()]
    this.#commands.clear()
    await Promise.all(all.map((command) => command.end()))
  }

  #with(
    { terminalId }: Params,
    work: (command: Command, id: string) => Promise<Response>,
  ): Response | Promise<Response> {
    const command = typeof terminalId === 'string' ? this.#commands.get(terminalId) : undefined
    if (typeof terminalId !== 'string' || !command) return resourceNotFound(`terminal ${inspect(terminalId)}`)
    return work(command, terminalId)
  }

  /** The same in every run, also when two sessions create terminals at the same time. */
  #nextId(sessionId: unknown): string {
    const ordinal = this.#options.ordinalOf(sessionId)
    const n = (this.#created.get(ordinal) ?? 0) + 1
    this.#created.set(ordinal, n)
    return ordinal === 1 ? `terminal-${n}` : `terminal-${ordinal}-${n}`
  }

  #commandIn({ sessionId, command, args, env, cwd }: Params): PinnedCommand {
    if (!isText(command) || command === '') throw wrong('command is not a program', command)
    const list = args ?? []
    if (!Array.isArray(list) || !list.every(isText)) throw wrong('args are not strings', args)
    const variables = env ?? []
    if (!Array.isArray(variables) || !variables.every(isVariable)) throw wrong('env is not a list of variables', env)
    const dir = cwd ?? this.#options.cwdOf(sessionId)
    if (!isText(dir) || !isAbsolute(dir) || !isBelow(this.#options.root, dir) || !isDirectory(dir)) {
      throw wrong('cwd is not a directory of the run', dir)
    }
    const own = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
    return { ...inShell(command, list), cwd: dir, env: { ...this.#options.env(), ...own } }
  }
}

/** Like editors, runs a command line that comes in one piece in a shell: `npm test`. */
function inShell(command: string, args: readonly string[]) {
  if (args.length > 0 || !/\s/.test(command)) return { command, args }
  return process.platform === 'win32'
    ? { command: 'cmd.exe', args: ['/d', '/s', '/c', command] }
    : { command: '/bin/sh', args: ['-c', command] }
}

function limitIn(params: Params): number {
  return Math.min(countIn(params, 'outputByteLimit') ?? MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES)
}

function wrong(problem: string, value: unknown): InvalidParamsError {
  return new InvalidParamsError(`${problem}: ${inspect(value)}`)
}

/** A string that the system can pass to a process. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

function isVariable(value: unknown): value is { name: string; value: string } {
  return isRecord(value) && isText(value.name) && /^[^=]+$/.test(value.name) && isText(value.value)
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function statusOf({ code, signal }: Exit) {
  return { exitCode: code, signal }
}
