import { basename, resolve } from 'node:path'
import { readScenario } from '../guard/read-scenario.ts'
import type { LogFormat } from '../logs/log-format.ts'
import { loadLogFormat } from '../logs/log-formats.ts'
import type { FinishedRun } from '../run/finished-run.ts'
import { runScenario } from '../run/run-scenario.ts'
import { suggest } from '../scenario/input/suggest.ts'
import { searchesFor } from '../secrets/check-secrets.ts'
import { localSecrets } from '../secrets/local-secrets.ts'
import { redact } from '../secrets/redact.ts'
import { CommandError, EXIT, type Shell } from './shell.ts'
import { readSnapshotProjects, type SnapshotProject } from './snapshot-projects.ts'

/** A scenario of the Jest config that a command runs by itself. */
export class ChosenScenario {
  readonly project: SnapshotProject
  readonly #dir: string
  readonly #logFormat: LogFormat

  private constructor(project: SnapshotProject, dir: string, logFormat: LogFormat) {
    this.project = project
    this.#dir = dir
    this.#logFormat = logFormat
  }

  /**
   * Finds a scenario by the name of its directory, or by its path.
   *
   * @throws CommandError if there is none, or more than one of this name
   */
  static async find(word: string, config: string | undefined, shell: Shell): Promise<ChosenScenario> {
    const projects = await readSnapshotProjects(shell.cwd, config)
    if (projects.length === 0) throw new CommandError(NO_PROJECT, EXIT.usage)
    const all = projects.flatMap((project) => project.scenarios.map((dir) => ({ project, dir })))
    const path = resolve(shell.cwd, word)
    const byPath = all.filter(({ dir }) => dir === path)
    const found = byPath.length > 0 ? byPath : all.filter(({ dir }) => basename(dir) === word)
    const [first, second] = found
    if (!first) {
      const names = all.map(({ dir }) => basename(dir))
      throw new CommandError(`there is no scenario ${JSON.stringify(word)}${suggest(word, names)}`, EXIT.usage)
    }
    if (second) {
      const paths = found.map(({ dir }) => dir).join(', ')
      throw new CommandError(`several scenarios are named ${JSON.stringify(word)}; use a path: ${paths}`, EXIT.usage)
    }
    const { project, dir } = first
    return new ChosenScenario(project, dir, await loadLogFormat(project.options.sessionLogs))
  }

  /** Runs the scenario once, with its recording. Nothing is compared or written. @throws FixtureError, ScenarioError */
  run(): Promise<FinishedRun> {
    const scenario = readScenario(this.#dir, { createsMissing: true, logFormat: this.#logFormat })
    const { signal } = new AbortController()
    return runScenario(scenario, this.project.options, { signal, logFormat: this.#logFormat })
  }
}

const NO_PROJECT = 'the Jest config has no project with jest-environment-acp; npx acp-snapshot init writes one'

/** Removes secrets from a text that is printed: the values of the host's variables, and what looks like a secret. */
export function secretHider(env: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = localSecrets(env)
  const known = secrets.values.map(({ name, value }) => ({ value, replacement: `[the value of ${name}]` }))
  const searches = searchesFor(secrets)
  return (text) => redact(text, known, searches)
}
