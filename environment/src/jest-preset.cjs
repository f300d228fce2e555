/**
 * `preset: 'jest-environment-acp'`: all that a Jest project of scenarios needs, except how the agent is started. The paths
 * are absolute, so that the project finds them wherever the packages are installed.
 *
 * @type {import('@jest/types').Config.InitialOptions}
 */
module.exports = {
  displayName: 'snapshot',
  testMatch: ['<rootDir>/__fixtures__/*/input.json'],
  testEnvironment: require.resolve('jest-environment-acp'),
  setupFilesAfterEnv: [require.resolve('jest-environment-acp/setup')],
  snapshotSerializers: [require.resolve('jest-serializer-acp/plugin')],
  // Only Jest's top level has reporters. A config with `projects` names them itself.
  reporters: [require.resolve('jest-environment-acp/reporter'), 'default'],
  // Under --watchAll, a changed log reruns its scenario, and a golden written by -u does not.
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json', 'node', 'jsonl'],
  watchPathIgnorePatterns: ['stdout\\.golden\\.jsonl$'],
  // A scenario is JSON, and these modules are JavaScript: Babel has nothing to do.
  transform: {},
}
