/** The example agent's arguments for one of its configuration files. */
const launch = (config: string) => [
  '<rootDir>/packages/boot/bin/acp-agent.mjs',
  '--config',
  `<rootDir>/examples/acp-agent/${config}`,
]

/** `testEnvironmentOptions.acp` for the example agent: how to start it for a replay and for a recording. */
export const acp = {
  command: process.execPath,
  args: launch('cordis.snapshot.yml'),
  env: {
    ACP_AGENT_SESSIONS: '{{sessions}}',
    LLM_REPLAY_FIXTURE: '{{fixture}}',
    LLM_REPLAY_REPORT: '{{report}}',
  },
  sessionLogs: true,
  configs: {
    'two-steps': { env: { ACP_AGENT_MAX_STEPS: '2' } },
  },
  record: {
    args: launch('cordis.yml'),
    envFile: '<rootDir>/.env',
    requires: ['DEEPSEEK_API_KEY'],
    passes: ['DEEPSEEK_BASE_URL'],
  },
}
