import { basename, join } from 'node:path'
import type { MatcherFunction } from 'expect'
import { capDiff } from '../compare/message.ts'
import { escapeControls } from '../escape-controls.ts'
import { readRegularText } from '../io/regular-file.ts'
import type { ScenarioRun } from '../run/run-scenario.ts'
import { SYSTEM_PIN, TOOLS_PIN } from '../scenario/files.ts'
import { asScenarioRun } from './received.ts'
import { DIFF_OPTIONS } from './to-match-golden.ts'

/** A longer pin is nothing that a model is told. */
const LONGEST_PIN = 16 * 1024 * 1024

/**
 * Compares each request header that a run logged with the pin of the scenario's header class: the golden files of the
 * one scenario that holds what the model is told. No flag of Jest's rewrites these.
 */
export const toMatchHeaderPin: MatcherFunction = function (received) {
  const run = asScenarioRun(received, 'toMatchHeaderPin')
  this.dontThrow?.()
  for (const live of run.pins) {
    for (const [file, got] of [[SYSTEM_PIN, live.system] as const, [TOOLS_PIN, live.tools] as const]) {
      const expected = readPin(run, file)
      if (expected === got) continue
      const message = () =>
        describe(
          run,
          file,
          live.place,
          this.utils.diff(escapeControls(expected ?? ''), escapeControls(got ?? ''), DIFF_OPTIONS),
        )
      return { pass: false, message, expected, actual: got, name: 'toMatchHeaderPin' }
    }
  }
  return { pass: true, message: () => '' }
}

function readPin({ scenario }: ScenarioRun, file: string): string | undefined {
  if (!scenario.pin) return undefined
  const { dir } = scenario.pin
  return readRegularText(join(dir, file), { maxBytes: LONGEST_PIN, within: dir })
}

function describe({ scenario }: ScenarioRun, file: string, place: string, diff: string | null): string {
  const { pin, name, input } = scenario
  if (!pin) {
    const what = `scenario ${name}: no scenario pins what the model is told in header class ${JSON.stringify(input.headerClass)}`
    return `${what}. Set "pinsHeader": true in one of them, as in this one, and run: REFRESH=1 ${scenario.command(scenario.dir)}`
  }
  const pinnedBy = basename(pin.dir)
  const pinned = `${pinnedBy}/${file}`
  return [
    `scenario ${name}: the request header (${place}) differs from ${pinned}, which pins class ${JSON.stringify(pin.class)}`,
    ...(diff ? [capDiff(diff)] : []),
    `If this is wanted: REFRESH=1 ${scenario.command(pin.dir)}`,
  ].join('\n\n')
}
