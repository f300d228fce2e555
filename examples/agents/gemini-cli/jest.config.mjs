const env = { GEMINI_API_KEY: 'unused', GOOGLE_GEMINI_BASE_URL: process.env.MODEL_URL }
const args = ['<rootDir>/node_modules/@google/gemini-cli/bundle/gemini.js', '--acp', '--model', 'gemini-2.5-flash']
// A session can be loaded one minute after it was created.
const deadlines = { stepMs: 120_000 }
const today = { name: 'today', match: "(?<=Today's date is )[^(]+(?= \\()", token: 'today' }
const normalize = { on: ['chunks', 'token-counts'], add: [today], unordered: ['available_commands_update'] }

export default {
  preset: 'jest-environment-acp',
  displayName: 'gemini-cli',
  testEnvironmentOptions: { acp: { command: 'node', args, env, home: '<rootDir>/home', deadlines, normalize } },
  // In the repository, the packages are TypeScript.
  transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/../../../tsconfig.jest.json' }] },
}
