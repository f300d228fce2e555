const env = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }
const launch = { command: '<rootDir>/node_modules/.bin/opencode', args: ['acp'], env, home: '<rootDir>/home' }
// It takes some seconds to start, and more on a busy machine.
const deadlines = { stepMs: 120_000 }
const normalize = { on: ['chunks', 'token-counts'], unordered: ['available_commands_update'] }

export default {
  preset: 'jest-environment-acp',
  displayName: 'opencode',
  testEnvironmentOptions: { acp: { ...launch, passes: ['MODEL_URL'], deadlines, normalize } },
  // In the repository, the packages are TypeScript.
  transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/../../../tsconfig.jest.json' }] },
}
