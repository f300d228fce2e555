/** @jest-config-loader esbuild-register */

import { acp } from 'acp-agent-example/snapshot-options'
import type { Config } from 'jest'

/** Transpiles alone: `npm run types` checks the types, apart. */
const transform = { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.jest.json' }] } satisfies Config['transform']

const config: Config = {
  // Most of the work is done by children: a core left to Jest's own process would idle.
  maxWorkers: '100%',
  // What waits in a test has its own deadline. This one only ends a test that hangs, on a busy machine too.
  testTimeout: 600_000,
  reporters: ['jest-environment-acp/reporter', 'default'],
  projects: [
    {
      displayName: 'unit',
      testMatch: ['<rootDir>/docs/*.test.ts', '<rootDir>/{environment,serializers,packages/*}/test/**/*.test.ts'],
      testEnvironment: 'node',
      transform,
    },
    {
      displayName: 'snapshot',
      testMatch: ['<rootDir>/__fixtures__/*/input.json'],
      testEnvironment: 'jest-environment-acp',
      testEnvironmentOptions: { acp },
      setupFilesAfterEnv: ['jest-environment-acp/setup'],
      snapshotSerializers: ['jest-serializer-acp/plugin'],
      // So that a changed log reruns its scenario under --watchAll, and -u does not rerun itself.
      moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json', 'node', 'jsonl'],
      watchPathIgnorePatterns: ['stdout\\.golden\\.jsonl$'],
      transform,
    },
    {
      displayName: 'corpus',
      testMatch: ['<rootDir>/corpus/**/*.test.ts'],
      testEnvironment: 'node',
      transform,
    },
    {
      displayName: 'e2e',
      testMatch: ['<rootDir>/{e2e,fuzz}/**/*.test.ts'],
      testEnvironment: 'node',
      transform,
    },
  ],
}

export default config
