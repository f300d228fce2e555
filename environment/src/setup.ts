// This file, and what it imports, is loaded anew for each scenario: nothing heavy, zod above all, belongs here.
import { expect, test } from '@jest/globals'
import type { AcpGlobal } from './index.ts'
import { toBecomeFixture } from './matchers/to-become-fixture.ts'
import { toDraftFixture } from './matchers/to-draft-fixture.ts'
import { toEqualSessionLogs } from './matchers/to-equal-session-logs.ts'
import { toMatchGolden } from './matchers/to-match-golden.ts'
import { toMatchHeaderPin } from './matchers/to-match-header-pin.ts'

declare const acp: AcpGlobal

declare module 'expect' {
  interface Matchers<R> {
    toBecomeFixture(): R
    toDraftFixture(): R
    toEqualSessionLogs(): R
    toMatchGolden(): R
    toMatchHeaderPin(): R
  }
}

/** Every wait of a run has its own deadline, so the test itself has none. The longest time-out that a timer takes. */
const NO_TIMEOUT = 2 ** 31 - 1

const NOT_KEPT =
  'nothing was written: a replay of this run, by the same agent, gave another result. Make the agent do the same in each run, and try again'

expect.extend({
  toBecomeFixture: toBecomeFixture(acp),
  toDraftFixture: toDraftFixture(acp),
  toEqualSessionLogs,
  toMatchGolden: toMatchGolden(acp),
  toMatchHeaderPin,
})

test(
  acp.scenario,
  async () => {
    if (acp.mode === 'replay') return compare(await acp.replay())
    const made = await acp.run()
    expect(made).toDraftFixture()
    compare(await acp.replay())
    // The matchers do not throw, so that a test tells what is wrong with every surface.
    if (expect.getState().suppressedErrors.length > 0) throw new Error(NOT_KEPT)
    expect(made).toBecomeFixture()
  },
  NO_TIMEOUT,
)

function compare(run: unknown): void {
  expect(run).toMatchGolden()
  expect(run).toEqualSessionLogs()
  expect(run).toMatchHeaderPin()
}
