export { FixtureError, type FixtureFault } from './fault.ts'
export { STAGING } from './files.ts'
export { guardFixtures } from './guard.ts'
export { readFixtureTree, readScenario, type Scenario } from './read.ts'
