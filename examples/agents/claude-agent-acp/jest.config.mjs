const off = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' }
const model = { ANTHROPIC_BASE_URL: process.env.MODEL_URL, ANTHROPIC_API_KEY: 'unused', ANTHROPIC_MODEL: 'fake-model' }
const env = { ...off, ...model, CLAUDE_CONFIG_DIR: '{{home}}/.claude' }
const args = ['<rootDir>/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js']
const waits = { settleMs: 500, deadlines: { stepMs: 120_000 } }
const unordered = ['available_commands_update', 'session_info_update']
const normalize = { on: ['chunks', 'token-counts', 'repeated-updates'], unordered }

export default {
  preset: 'jest-environment-acp',
  displayName: 'claude-agent-acp',
  testEnvironmentOptions: { acp: { command: 'node', args, env, home: '<rootDir>/home', ...waits, normalize } },
  // In the repository, the packages are TypeScript.
  transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/../../../tsconfig.jest.json' }] },
}
