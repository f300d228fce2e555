/** @jest-config-loader esbuild-register */

import { acp } from 'acp-agent-example/snapshot-options'
import type { Config } from 'jest'

/** What `npm run build` writes has the names of our packages, and may be old. */
const modulePathIgnorePatterns = ['<rootDir>/dist/']

/** Transpiles only. `npm run types` checks the types. */
const transform = { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.jest.json' }] } satisfies Config['transform']

const config: Config = {
  // Child processes do most of the work, so Jest's own process needs no core to itself.
  maxWorkers: '100%',
  // Every wait in a test has its own deadline. This one ends a test that hangs, and is long enough for a busy machine.
  testTimeout: 600_000,
  reporters: ['jest-environment-acp/reporter', 'default'],
  projects: [
    {
      displayName: 'unit',
      testMatch: [
        '<rootDir>/docs/*.test.ts',
        '<rootDir>/{environment,serializers,packages/*,examples/agents}/test/**/*.test.ts',
      ],
      testEnvironment: 'node',
      transform,
      modulePathIgnorePatterns,
    },
    {
      preset: 'jest-environment-acp',
      testEnvironmentOptions: { acp },
      // In the repository, the packages are TypeScript.
      transform,
      modulePathIgnorePatterns,
    },
    '<rootDir>/examples/agents/sdk-example',
    {
      displayName: 'corpus',
      testMatch: ['<rootDir>/corpus/**/*.test.ts'],
      testEnvironment: 'node',
      transform,
      modulePathIgnorePatterns,
    },
    {
      displayName: 'e2e',
      testMatch: ['<rootDir>/{e2e,fuzz}/**/*.test.ts'],
      testEnvironment: 'node',
      transform,
      modulePathIgnorePatterns,
    },
  ],
}

export default config
