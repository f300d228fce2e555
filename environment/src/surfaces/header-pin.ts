import { basename, join } from 'node:path'
import { normalizeText } from 'jest-serializer-acp'
import { jestCommand } from '../command/hint.ts'
import { readRegularText } from '../io/regular-file.ts'
import type { FixtureFault } from '../scenario/fault.ts'
import { INPUT } from '../scenario/files.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import { forbiddenWithout, requireJson } from '../scenario/require-json.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { textOf } from '../scenario/tree.ts'
import type { Mismatch } from './mismatch.ts'
import type { CheckedFixture, InspectedScenario, Surface } from './surface.ts'

const SYSTEM = 'system-prompt.golden.md'
const TOOLS = 'tool-schemas.golden.json'

/** Longer than any system prompt or list of tool schemas. */
const LONGEST_PIN = 16 * 1024 * 1024

/** The request headers that a run logged, in order, and whether its scenario pins them. */
interface LivePins {
  headers: readonly LivePin[]
  pinsHeader: boolean
}

/** One request header, as the text of the two pin files. */
interface LivePin {
  /** As in `session 0, seq 3`. */
  place: string
  /** Empty when there is no system prompt. */
  system: string
  /** `null` when there are no tools. */
  tools: string
}

/**
 * The request header: the system prompt and tool schemas that the agent sends to the model. One scenario of each header
 * class stores it, and every scenario of the class is compared with it.
 */
export const headerPin: Surface<LivePins> = {
  title: 'header pin',
  files: { label: `${SYSTEM}, ${TOOLS}`, has: (path) => path === SYSTEM || path === TOOLS },
  writtenBy: ['refresh', 'record'],
  createdWhenMissing: false,

  check(fixture, report) {
    const tools = textOf(fixture.files, TOOLS)
    if (tools !== undefined) requireJson(TOOLS, tools, report)
    if (!fixture.input) return
    if (fixture.input.pinsHeader && !fixture.logFormat.exists) report(INPUT, NO_LOGS)
    for (const file of [SYSTEM, TOOLS]) checkPresence(file, fixture, fixture.input, report)
  },

  checkTogether(root, scenarios, complete) {
    const classes = new Map<string, InspectedScenario[]>()
    for (const scenario of scenarios) {
      const name = scenario.input?.headerClass
      if (name !== undefined) classes.set(name, [...(classes.get(name) ?? []), scenario])
    }
    return [...classes].flatMap(([name, members]) => checkClass(root, name, members, complete))
  },

  collect({ scenario, logs, volatile }) {
    const headers = logs.flatMap(({ log }, session) =>
      log.told.map(({ place, system, tools }) => ({
        place: `session ${session}, ${place}`,
        system: system === undefined ? '' : `${normalizeText(system, volatile)}\n`,
        tools: normalizeText(`${JSON.stringify(tools ?? null, null, 2)}\n`, volatile),
      })),
    )
    return { headers, pinsHeader: scenario.input.pinsHeader }
  },

  print({ headers: [first], pinsHeader }) {
    if (!first || !pinsHeader) return new Map()
    return new Map([
      [SYSTEM, first.system],
      [TOOLS, first.tools],
    ])
  },

  compare({ headers }, { scenario }) {
    for (const { place, system, tools } of headers) {
      for (const [file, got] of [[SYSTEM, system] as const, [TOOLS, tools] as const]) {
        const expected = readPin(scenario, file)
        if (expected !== got) return mismatch(scenario, file, place, expected, got)
      }
    }
    return undefined
  },
}

const NO_LOGS =
  '"pinsHeader": true needs session logs, which contain the request header: set testEnvironmentOptions.acp.sessionLogs'

function checkPresence(
  file: string,
  { present, action, command }: CheckedFixture,
  { pinsHeader }: { pinsHeader: boolean },
  report: ReportFault,
): void {
  if (!pinsHeader && present.has(file)) report(file, forbiddenWithout('pinsHeader'))
  if (pinsHeader && !present.has(file) && !headerPin.writtenBy.includes(action)) {
    report(file, `is missing; input.json says "pinsHeader": true. REFRESH=1 ${command} writes it`)
  }
}

/** Checks that at most one scenario pins a class and, in a complete tree, that each class with model calls is pinned. */
function checkClass(
  root: string,
  name: string,
  members: readonly InspectedScenario[],
  complete: boolean,
): FixtureFault[] {
  const pins = members.filter(({ input }) => input?.pinsHeader)
  if (pins.length > 1) return pins.map((pin) => tooMany(root, name, pin, pins))
  const callers = members.filter(({ callsModel }) => callsModel)
  return complete && pins.length === 0 && callers[0] ? [missing(root, name, callers[0], callers.length)] : []
}

function tooMany(
  root: string,
  headerClass: string,
  pin: InspectedScenario,
  pins: readonly InspectedScenario[],
): FixtureFault {
  const others = pins.filter((other) => other !== pin).map((other) => other.name)
  return {
    file: `${root}/${pin.name}/${INPUT}`,
    message:
      `"pinsHeader": true, and header class ${JSON.stringify(headerClass)} is pinned by ${others.join(', ')} too; ` +
      'only one scenario may pin a class',
  }
}

function missing(root: string, headerClass: string, caller: InspectedScenario, callers: number): FixtureFault {
  const all = callers === 1 ? 'this scenario' : `this scenario and ${callers - 1} more`
  return {
    file: `${root}/${caller.name}/${INPUT}`,
    message:
      `no scenario pins header class ${JSON.stringify(headerClass)}, which ${all} would be compared with; ` +
      `set "pinsHeader": true in one of them, for example this one, and run: REFRESH=1 ${jestCommand()(`${root}/${caller.name}`)}`,
  }
}

function readPin({ pin }: Scenario, file: string): string | undefined {
  return pin && readRegularText(join(pin.dir, file), { maxBytes: LONGEST_PIN, within: pin.dir })
}

function mismatch(
  scenario: Scenario,
  file: string,
  place: string,
  expected: string | undefined,
  got: string,
): Mismatch {
  const { pin, input } = scenario
  if (!pin) {
    const what = `no scenario pins the system prompt and tool schemas of header class ${JSON.stringify(input.headerClass)}`
    const next = `Set "pinsHeader": true in one scenario of the class, for example this one, and run: REFRESH=1 ${scenario.command(scenario.dir)}`
    return { headline: `${what}. ${next}`, showsStderr: false }
  }
  const pinned = `${basename(pin.dir)}/${file}`
  return {
    headline: `the request header (${place}) differs from ${pinned}, which pins class ${JSON.stringify(pin.class)}`,
    texts: { expected: expected ?? '', got },
    showsStderr: false,
    next: `If this is wanted: REFRESH=1 ${scenario.command(pin.dir)}`,
  }
}
