const args = ['-c', `model_providers.fake.base_url="${process.env.MODEL_URL}/v1"`]
const launch = { command: '<rootDir>/node_modules/.bin/codex-acp', args, home: '<rootDir>/home', exit: 'sigterm' }
const processId = { name: 'process-id', at: '/params/update/*/process_id', token: 'processId' }
const duration = { name: 'duration', at: '/params/update/rawOutput/duration', token: 'duration' }
const shell = { name: 'shell', match: '(/usr)?/bin/(ba|z|da)?sh\\b', token: 'shell' }
const add = [processId, duration, shell]
const normalize = { on: ['chunks', 'token-counts'], add, unordered: ['available_commands_update'] }

export default {
  preset: 'jest-environment-acp',
  displayName: 'codex-acp',
  testEnvironmentOptions: { acp: { ...launch, normalize } },
  // In the repository, the packages are TypeScript.
  transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/../../../tsconfig.jest.json' }] },
}
