export { launchOf, parseOptions } from '../options.ts'
export { runScenario, type ScenarioRun } from './run-scenario.ts'
