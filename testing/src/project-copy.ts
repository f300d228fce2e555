import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createWorkplace } from 'jest-environment-acp/child'
import { copyTree, readTree } from './file-tree.ts'
import { type JestRun, type StartedJest, startJest } from './jest-run.ts'
import { linkLibraries } from './link-libraries.ts'
import { processesIn, untilNone } from './processes.ts'

export type { JestRun, StartedJest }

const ROOT = realpathSync(join(__dirname, '..', '..'))
const SOURCES = ['environment', 'serializers', 'packages', 'examples', '__fixtures__']
const FILES = ['package.json', 'jest.config.ts', 'tsconfig.json', 'tsconfig.jest.json']
const LEFT_OUT = new Set(['node_modules', 'test'])

/** A copy of this project in a temp directory, where a test can run, edit and record. It links the real libraries. */
export class ProjectCopy {
  readonly #place = createWorkplace()
  readonly #edited = new Map<string, string>()
  readonly dir = this.#place.cwd
  readonly fixtures = join(this.dir, '__fixtures__')
  /** The temp directory of Jest and the agents of this copy. */
  readonly tmp = this.#place.tmp

  /** @param options.transform `user` keeps the transform of the Jest config, which costs some seconds more */
  constructor({ transform = 'fast' }: { transform?: 'fast' | 'user' } = {}) {
    for (const name of [...SOURCES, ...FILES]) {
      cpSync(join(ROOT, name), join(this.dir, name), {
        recursive: true,
        filter: (path) => !LEFT_OUT.has(basename(path)),
      })
    }
    if (transform === 'fast') this.#compileFast()
    const nested = readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name, 'node_modules'))
    for (const path of ['node_modules', ...nested]) linkLibraries(ROOT, this.dir, path)
  }

  #compileFast(): void {
    const file = join(this.dir, 'jest.config.ts')
    const text = readFileSync(file, 'utf8')
    const fast = text.replace(/\['ts-jest', .*?\]/, JSON.stringify(require.resolve('./transform.cjs')))
    if (fast === text) throw new Error(`${file} has no ts-jest that can be replaced`)
    writeFileSync(file, fast)
  }

  /** Runs Jest as a user does. @param env its variables, beside the few that every program needs */
  jest(args: readonly string[], env: Record<string, string> = {}): Promise<JestRun> {
    return this.startJest(args, env).done
  }

  /** Starts Jest like `jest`, for a run that the test may kill. */
  startJest(args: readonly string[], env: Record<string, string> = {}): StartedJest {
    return startJest(args, env, { dir: this.dir, home: this.#place.home, tmp: this.tmp })
  }

  /** Replaces text in a file until `restore`. @param file its path in the project */
  edit(file: string, from: string, to: string): void {
    this.rewrite(file, (text) => {
      if (!text.includes(from)) throw new Error(`${file} does not contain ${JSON.stringify(from)}`)
      return text.replace(from, () => to)
    })
  }

  /** Changes the text of a file until `restore`. */
  rewrite(file: string, change: (text: string) => string): void {
    const text = readFileSync(join(this.dir, file), 'utf8')
    writeFileSync(join(this.dir, file), change(text))
    if (!this.#edited.has(file)) this.#edited.set(file, text)
  }

  /** The text of every fixture file, by its path below `__fixtures__`. */
  readFixtures(): Record<string, string> {
    return readTree(this.fixtures)
  }

  /** Undoes all edits, and all changes of the fixtures. */
  restore(): void {
    for (const [file, text] of this.#edited) writeFileSync(join(this.dir, file), text)
    this.#edited.clear()
    this.restoreFixtures()
  }

  restoreFixtures(): void {
    copyTree(join(ROOT, '__fixtures__'), this.fixtures)
  }

  /** Waits for the last process of a run, and returns the temp directories it left, except Jest's cache. */
  async leftovers(): Promise<string[]> {
    await untilNone(() => processesIn(dirname(this.dir)))
    return readdirSync(this.tmp).filter((name) => !name.startsWith('jest_'))
  }

  remove(): void {
    this.#place.remove()
  }
}
