import { isEvent, type ParsedLog } from '@acp-snapshot/session'
import { jestCommand } from '../../command/hint.ts'
import type { FixtureFault } from '../fault.ts'
import { INPUT } from '../files.ts'
import type { ScenarioInput } from '../input.ts'

/** What pins are judged by. A scenario whose `input.json` cannot be read is of no class. */
export interface ClassMember {
  name: string
  input?: ScenarioInput | undefined
  logs: readonly ParsedLog[]
}

/**
 * Checks that each header class is pinned by one scenario.
 *
 * @param complete whether these are all the scenarios there are, so that a class without a pin has none
 */
export function checkPins(root: string, scenarios: readonly ClassMember[], complete: boolean): FixtureFault[] {
  const classes = new Map<string, ClassMember[]>()
  for (const scenario of scenarios) {
    const name = scenario.input?.headerClass
    if (name !== undefined) classes.set(name, [...(classes.get(name) ?? []), scenario])
  }
  return [...classes].flatMap(([name, members]) => {
    const pins = members.filter(({ input }) => input?.pinsHeader)
    if (pins.length > 1) return pins.map((pin) => tooMany(root, name, pin, pins))
    const callers = members.filter(callsModel)
    return complete && pins.length === 0 && callers[0] ? [missing(root, name, callers[0], callers.length)] : []
  })
}

function tooMany(root: string, headerClass: string, pin: ClassMember, pins: readonly ClassMember[]): FixtureFault {
  const others = pins.filter((other) => other !== pin).map((other) => other.name)
  return {
    file: `${root}/${pin.name}/${INPUT}`,
    message:
      `"pinsHeader": true, and header class ${JSON.stringify(headerClass)} is pinned by ${others.join(', ')} too; ` +
      'one scenario pins a class',
  }
}

function missing(root: string, headerClass: string, caller: ClassMember, callers: number): FixtureFault {
  const all = callers === 1 ? 'this scenario' : `this scenario and ${callers - 1} more`
  return {
    file: `${root}/${caller.name}/${INPUT}`,
    message:
      `no scenario pins header class ${JSON.stringify(headerClass)}, which ${all} would be compared with; ` +
      `set "pinsHeader": true in one of them, as in this one, and run: REFRESH=1 ${jestCommand()(`${root}/${caller.name}`)}`,
  }
}

function callsModel({ logs }: ClassMember): boolean {
  return logs.some((log) => log.events.some((event) => isEvent(event, 'request/header')))
}
