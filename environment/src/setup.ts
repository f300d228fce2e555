// This file, and what it imports, is loaded again for each scenario: do not import anything heavy here, especially zod.
import { expect, test } from '@jest/globals'
import type { AcpGlobal } from './acp-global.ts'
import { toBecomeFixture } from './matchers/to-become-fixture.ts'
import { toDraftFixture } from './matchers/to-draft-fixture.ts'
import { toMatchSurface } from './matchers/to-match-surface.ts'
import { UsageError, withoutStack } from './usage-error.ts'

// With another environment, this is only a value from `testEnvironmentOptions`.
declare const acp: unknown

declare module 'expect' {
  interface Matchers<R> {
    toBecomeFixture(): R
    toDraftFixture(): R
    toMatchSurface(title: string): R
  }
}

/** Every wait of a run has its own deadline, so the test itself has none. This is the longest time-out that a timer allows. */
const NO_TIMEOUT = 2 ** 31 - 1

const NOT_KEPT =
  'nothing was written: a replay of this run, by the same agent, gave another result. Make the agent do the same in each run, and try again'

const scenario = requireEnvironment()

expect.extend({
  toBecomeFixture: toBecomeFixture(scenario),
  toDraftFixture: toDraftFixture(scenario),
  toMatchSurface: toMatchSurface(scenario),
})

test(
  scenario.scenario,
  async () => {
    if (scenario.action === 'verify' || scenario.action === 'update') return compare(await scenario.replay())
    const made = await scenario.run()
    expect(made).toDraftFixture()
    compare(await scenario.replay())
    // The matchers do not throw, so that a test reports the problems of all surfaces.
    if (expect.getState().suppressedErrors.length > 0) throw new UsageError(NOT_KEPT)
    expect(made).toBecomeFixture()
  },
  NO_TIMEOUT,
)

function requireEnvironment(): AcpGlobal {
  if (isAcpGlobal(acp)) return acp
  throw new UsageError(
    "jest-environment-acp/setup needs its environment: add testEnvironment: 'jest-environment-acp' to the Jest config",
  )
}

/** Checks each member, so that another `acp` in the global scope is not taken for ours. */
function isAcpGlobal(value: unknown): value is AcpGlobal {
  if (typeof value !== 'object' || value === null) return false
  const members: Record<keyof AcpGlobal, string> = {
    scenario: 'string',
    action: 'string',
    surfaces: 'object',
    run: 'function',
    replay: 'function',
    judge: 'function',
    draft: 'function',
    keep: 'function',
  }
  return Object.entries(members).every(([name, type]) => typeof Reflect.get(value, name) === type)
}

function compare(run: unknown): void {
  for (const title of scenario.surfaces) expect(run).toMatchSurface(title)
  expect.getState().suppressedErrors.forEach(withoutStack)
}
