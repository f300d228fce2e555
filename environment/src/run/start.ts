import { lstatSync } from 'node:fs'
import { childEnv, passedEnv, type Workplace } from '../child/index.ts'
import { type AcpOptions, type Launch, launchOf } from '../options.ts'
import { fillPlaces, type Places } from '../places.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { localSecrets } from '../secrets/local-secrets.ts'
import { redactValues } from '../secrets/redact.ts'
import { UsageError } from '../usage-error.ts'
import type { RunOptions } from './finished-run.ts'
import { fillTemplates, seedHome } from './home.ts'
import { freePorts, portPlaces, portsAskedFor } from './ports.ts'

/** What the agent of a run is started with: command line, environment, HOME and ports. A restart uses the same. */
export class AgentStart {
  readonly #scenario: Scenario
  readonly #options: AcpOptions
  readonly #workplace: Workplace
  readonly #live: RunOptions['live']
  #launch: Launch | undefined
  #ports: readonly number[] = []

  constructor(scenario: Scenario, options: AcpOptions, workplace: Workplace, live: RunOptions['live']) {
    this.#scenario = scenario
    this.#options = options
    this.#workplace = workplace
    this.#live = live
  }

  /** The command line, and the whole environment. The first call fills the run's HOME, and finds the ports. */
  async launch(): Promise<Launch> {
    this.#launch ??= await this.#prepare()
    return { ...this.#launch, env: this.#envWith(this.#live?.env) }
  }

  /** The environment of the agent's terminals: they do not get the key of a recording. */
  get terminalEnv(): Record<string, string> {
    return this.#envWith({})
  }

  /** The ports that the scenario asks for, in the order of their placeholders. */
  get ports(): readonly number[] {
    return this.#ports
  }

  /** The placeholders in `input.json`: those of the options without what only a replay reads. */
  get places(): Places {
    const { cwd, home, sessions, tmp } = this.#workplace
    return { cwd, home, sessions, tmp, ...portPlaces(this.#ports) }
  }

  /** Removes secrets from what the agent printed: the key of a recording, and the host's values that it was given. */
  withoutSecrets(text: string): string {
    const { env = {} } = this.#live ?? {}
    const required = this.#options.record.requires.flatMap((name) => env[name] ?? [])
    const onHost = new Set(Object.values(process.env))
    const given = Object.entries(this.#envWith(env)).filter(([, value]) => onHost.has(value))
    const bySecretName = localSecrets({ ...Object.fromEntries(given), ...env }).values.map(({ value }) => value)
    return redactValues(text, [...required, ...bySecretName])
  }

  async #prepare(): Promise<Launch> {
    const { config, steps, answers } = this.#scenario.input
    const launch = launchOf(this.#options, { config, live: this.#live !== undefined })
    const seeds = [homeOf(launch), this.#scenario.home].filter((seed) => seed !== undefined)
    const templates = seedHome(this.#workplace.home, seeds)
    this.#ports = await freePorts(portsAskedFor(launch, steps, answers, templates))
    const places = { ...this.places, report: this.#workplace.report, fixture: this.#scenario.dir }
    fillTemplates(templates, places)
    return fillPlaces(launch, places)
  }

  #envWith(live: Record<string, string> = {}): Record<string, string> {
    return childEnv({ ...passedEnv(this.#options.passes), ...this.#launch?.env, ...live }, this.#workplace)
  }
}

/** The directory that `home` of the options names. @throws UsageError when it is not there */
function homeOf({ home }: Launch): string | undefined {
  if (home === undefined || lstatSync(home, { throwIfNoEntry: false })?.isDirectory()) return home
  throw new UsageError(`testEnvironmentOptions.acp.home must be a directory, and ${home} is not one`)
}
