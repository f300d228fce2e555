import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { processesIn } from '@acp-snapshot/testing/processes'
import { HEADER } from '../guard/fixtures.ts'

const SRC = join(__dirname, '..', '..', 'src')

/** The files of a scenario, by name. `undefined` removes a default file. */
export type Files = Record<string, string | undefined>

/** The result of a Jest run. `output` is everything it printed, with `<project>` for the directory of the project. */
export interface JestRun {
  exitCode: number | null
  output: string
}

/**
 * A Jest project in a temp directory. It uses our environment, setup file, reporter and serializer, and the puppet is
 * the agent under test.
 */
export class Project {
  readonly #base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'matchers-test-')))
  readonly dir = join(this.#base, 'project')
  readonly #booted = join(this.#base, 'booted')
  readonly #temp = join(this.#base, 'tmp')

  /** @param config overrides parts of the Jest config */
  constructor(scenarios: Record<string, Files>, config: object = {}) {
    fs.mkdirSync(this.#temp)
    const src = (path: string) => join(SRC, path)
    this.write(
      'jest.config.json',
      JSON.stringify({
        testMatch: ['<rootDir>/__fixtures__/*/input.json'],
        testEnvironment: src('index.ts'),
        testEnvironmentOptions: { acp: this.#options() },
        setupFilesAfterEnv: [src('setup.ts')],
        snapshotSerializers: [require.resolve('jest-serializer-acp/plugin')],
        reporters: [src('reporter.cjs'), 'default'],
        moduleFileExtensions: ['js', 'cjs', 'mjs', 'ts', 'json', 'node', 'jsonl'],
        transform: { '\\.ts$': require.resolve('@acp-snapshot/testing/transform') },
        cacheDirectory: join(this.#base, 'cache'),
        watchman: false,
        ...config,
      }),
    )
    for (const [name, files] of Object.entries(scenarios)) this.add(name, files)
  }

  #options(): object {
    const agent = (name: string) => [agentFile(name)]
    return {
      command: process.execPath,
      args: agent('puppet'),
      env: { SESSIONS: '{{sessions}}', BOOTED: this.#booted },
      configs: {
        dies: { args: agent('dies') },
        silent: { args: agent('silent') },
        flaky: { args: agent('flaky') },
        leaks: { args: agent('leaks') },
      },
      sessionLogs: true,
      record: { requires: ['PUPPET_KEY'] },
    }
  }

  /** Writes a scenario. By default its log holds only a header. */
  add(name: string, files: Files): void {
    for (const [file, text] of Object.entries({ 'session.jsonl': HEADER, ...files })) {
      if (text !== undefined) this.write(`__fixtures__/${name}/${file}`, text)
    }
  }

  write(path: string, text: string | Uint8Array): void {
    const file = join(this.dir, path)
    fs.mkdirSync(dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }

  /** Changes `testEnvironmentOptions.acp`. */
  configure(acp: object): void {
    const file = join(this.dir, 'jest.config.json')
    const config: { testEnvironmentOptions: { acp: object } } = JSON.parse(fs.readFileSync(file, 'utf8'))
    Object.assign(config.testEnvironmentOptions.acp, acp)
    fs.writeFileSync(file, JSON.stringify(config))
  }

  /** Every file of every scenario, by its path below `__fixtures__`. */
  fixtures(): Record<string, string> {
    const root = join(this.dir, '__fixtures__')
    const paths = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
    const files = paths.filter((path) => fs.statSync(join(root, path)).isFile())
    return Object.fromEntries(files.map((path) => [path, fs.readFileSync(join(root, path), 'utf8')]))
  }

  /** Runs Jest in a process, as a user does. */
  jest(args: string[], env: NodeJS.ProcessEnv = {}): JestRun {
    const { PATH, HOME } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), ...args], {
      cwd: this.dir,
      env: { PATH, HOME, TMPDIR: this.#temp, ...env },
      encoding: 'utf8',
      timeout: 600_000,
    })
    return { exitCode: status, output: `${stdout}${stderr}`.replaceAll(this.dir, '<project>') }
  }

  /** The number of times that the puppet was started. */
  boots(): number {
    return fs.existsSync(this.#booted) ? fs.readFileSync(this.#booted, 'utf8').trimEnd().split('\n').length : 0
  }

  /** The temp directories of runs that are left, and the processes that still run in them. */
  leftovers(): { directories: string[]; processes: string[] } {
    const directories = fs.readdirSync(this.#temp).filter((name) => name.startsWith('acp-'))
    return { directories, processes: processesIn(this.#temp) }
  }

  remove(): void {
    fs.rmSync(this.#base, { recursive: true, force: true })
  }
}

/** An `input.json` with one prompt to the puppet. Each line of the prompt is one order. */
export function orders(...lines: string[]): string {
  return script({}, { op: 'prompt', text: lines.join('\n') })
}

/** An `input.json` with these steps after initialize and newSession. */
export function script(more: object, ...steps: object[]): string {
  return JSON.stringify({ ...more, steps: [{ op: 'initialize' }, { op: 'newSession' }, ...steps] })
}

/** The golden of a script of {@link orders} that say these texts. */
export function golden(...texts: string[]): string {
  const messages = [
    { id: 1, result: { protocolVersion: 1, agentCapabilities: {} } },
    { id: 2, result: { sessionId: '{{sessionId}}' } },
    ...texts.map((text) => ({
      method: 'session/update',
      params: {
        sessionId: '{{sessionId}}',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      },
    })),
    { id: 3, result: { stopReason: 'end_turn' } },
  ]
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
}
