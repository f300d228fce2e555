// This file, and what it imports, is loaded anew for each scenario: nothing heavy, zod above all, belongs here.
import { expect, test } from '@jest/globals'
import type { AcpGlobal } from './index.ts'
import { toBecomeFixture } from './matchers/to-become-fixture.ts'
import { toEqualSessionLogs } from './matchers/to-equal-session-logs.ts'
import { toMatchGolden } from './matchers/to-match-golden.ts'
import { toMatchHeaderPin } from './matchers/to-match-header-pin.ts'

declare const acp: AcpGlobal

declare module 'expect' {
  interface Matchers<R> {
    toBecomeFixture(): R
    toEqualSessionLogs(): R
    toMatchGolden(): R
    toMatchHeaderPin(): R
  }
}

/** Every wait of a run has its own deadline, so the test itself has none. The longest time-out that a timer takes. */
const NO_TIMEOUT = 2 ** 31 - 1

expect.extend({
  toBecomeFixture: toBecomeFixture(acp.write),
  toEqualSessionLogs,
  toMatchGolden: toMatchGolden(acp.update),
  toMatchHeaderPin,
})

test(
  acp.scenario,
  async () => {
    if (acp.mode !== 'replay') expect(await acp.run()).toBecomeFixture()
    const run = await acp.replay()
    expect(run).toMatchGolden()
    expect(run).toEqualSessionLogs()
    expect(run).toMatchHeaderPin()
  },
  NO_TIMEOUT,
)
