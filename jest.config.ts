/** @jest-config-loader esbuild-register */
import type { Config } from 'jest'

/** Transpiles alone: `npm run types` checks the types, apart. */
const transform = { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.jest.json' }] } satisfies Config['transform']

/** The example agent, with its model replaced by the scenario's recording. */
const acp = {
  command: process.execPath,
  args: [
    '<rootDir>/packages/boot/bin/acp-agent.mjs',
    '--config',
    '<rootDir>/examples/acp-agent/cordis.snapshot.yml',
  ],
  env: {
    ACP_AGENT_SESSIONS: '{{sessions}}',
    LLM_REPLAY_FIXTURE: '{{fixture}}',
    LLM_REPLAY_REPORT: '{{report}}',
  },
}

const config: Config = {
  reporters: ['jest-environment-acp/reporter', 'default'],
  projects: [
    {
      displayName: 'unit',
      testMatch: ['<rootDir>/{environment,serializers,packages/*}/test/**/*.test.ts'],
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
  ],
}

export default config
