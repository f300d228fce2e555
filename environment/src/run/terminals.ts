import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Command, type Exit } from '../child/index.ts'
import { inspect } from '../scenario-error.ts'
import { isBelow } from './client-files.ts'
import { isRecord, type Response } from './message.ts'
import { internalError, invalidParams, resourceNotFound } from './refused.ts'

interface TerminalsOptions {
  /** The directory of a command that names none. */
  cwd: string
  /** A command may name a directory in here. */
  root: string
  /** The agent's own environment. */
  env: () => Record<string, string>
  /** The position of a session among those of the run, from 1; 0 for an unknown one. */
  ordinalOf: (sessionId: unknown) => number
}

type Params = Record<string, unknown>

/** How much output is kept of a command, whatever `outputByteLimit` says. */
const MAX_OUTPUT_BYTES = 1024 ** 2

/** Answers `terminal/*`: the commands really run, each in its own process group, until they are released. */
export class Terminals {
  readonly #options: TerminalsOptions
  readonly #commands = new Map<string, Command>()
  /** How many terminals each session has created. */
  readonly #created = new Map<number, number>()

  constructor(options: TerminalsOptions) {
    this.#options = options
  }

  async create(params: Params): Promise<Response> {
    const read = this.#readCommand(params)
    if ('problem' in read) return invalidParams(read.problem)
    const id = this.#nextId(params.sessionId)
    try {
      this.#commands.set(id, await Command.spawn(read, limitOf(params)))
      return { result: { terminalId: id } }
    } catch (error) {
      return internalError(error)
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

  #readCommand(params: Params) {
    const { command, args, env, cwd } = params
    const fail = (problem: string, value: unknown) => ({ problem: `${problem}: ${inspect(value)}` })
    if (typeof command !== 'string' || command === '') return fail('command is not a program', command)
    const list = args ?? []
    if (!Array.isArray(list) || !list.every((arg) => typeof arg === 'string')) return fail('args are not strings', args)
    const variables = env ?? []
    if (!Array.isArray(variables) || !variables.every(isVariable)) return fail('env is not a list of variables', env)
    const dir = cwd ?? this.#options.cwd
    if (typeof dir !== 'string' || !isAbsolute(dir) || !isBelow(this.#options.root, dir) || !isDirectory(dir)) {
      return fail('cwd is not a directory of the run', dir)
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

function limitOf({ outputByteLimit: limit }: Params): number {
  return typeof limit === 'number' && limit >= 0 ? Math.min(limit, MAX_OUTPUT_BYTES) : MAX_OUTPUT_BYTES
}

function isVariable(value: unknown): value is { name: string; value: string } {
  return isRecord(value) && typeof value.name === 'string' && typeof value.value === 'string'
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function statusOf({ code, signal }: Exit) {
  return { exitCode: code, signal }
}
