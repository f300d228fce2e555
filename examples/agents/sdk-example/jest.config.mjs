export default {
  preset: 'jest-environment-acp',
  displayName: 'sdk-example',
  testEnvironmentOptions: {
    acp: { command: 'node', args: ['<rootDir>/../../../node_modules/acp-sdk-1/dist/examples/agent.js'] },
  },
  // In the repository, the packages are TypeScript.
  transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/../../../tsconfig.jest.json' }] },
}
