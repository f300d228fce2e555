/** @jest-config-loader esbuild-register */
import type { Config } from 'jest'

/** Transpiles alone: `npm run types` checks the types, apart. */
const transform = { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.jest.json' }] } satisfies Config['transform']

const config: Config = {
  projects: [
    {
      displayName: 'unit',
      testMatch: ['<rootDir>/{environment,serializers,packages/*}/test/**/*.test.ts'],
      testEnvironment: 'node',
      transform,
    },
  ],
}

export default config
