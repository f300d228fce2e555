export { knownKeys, launchOf, parseOptions } from '../options.ts'
export type { ScenarioRun } from './finished-run.ts'
export { runScenario } from './run-scenario.ts'
