import { posix } from 'node:path'
import { type FixtureFault, sortFaults } from './fault.ts'
import { README } from './files.ts'
import type { GuardOptions } from './guard/options.ts'
import { type ClassMember, checkPins } from './guard/pins.ts'
import type { Report } from './guard/report.ts'
import { type Inspection, inspectScenario } from './guard/scenario.ts'
import { hideSecrets } from './guard/secrets/hide.ts'
import { checkByRules } from './guard/secrets/rules.ts'
import type { FixtureTree, ScenarioFiles } from './tree.ts'

/** The fixture guard, pure: every fault of the tree, sorted. An empty list means that each scenario can be run. */
export function guardFixtures(tree: FixtureTree, options: GuardOptions = {}): FixtureFault[] {
  const inspected = tree.scenarios.map((scenario) => inspectScenario(tree.root, scenario, options))
  const byRules = searchByRules(tree.root, tree.scenarios, options)
  const faults = [
    ...tree.loose.filter((name) => name !== README).map((name) => looseFile(tree.root, name)),
    ...[...(tree.refused ?? [])].map(([name, message]) => ({ file: posix.join(tree.root, name), message })),
    ...inspected.flatMap((scenario) => scenario.faults),
    ...byRules.faults,
    ...checkPins(tree.root, inspected, options.complete === true),
  ]
  const found = [...inspected.flatMap((scenario) => scenario.found), ...byRules.found]
  return sortFaults(hideSecrets(faults, found, options.secrets))
}

/**
 * The guard for one scenario, before it runs.
 *
 * @param siblings the other scenarios, of which one may pin the same header class
 */
export function guardScenario(
  root: string,
  scenario: ScenarioFiles,
  siblings: readonly ClassMember[],
  options: GuardOptions = {},
): Inspection {
  const inspected = inspectScenario(root, scenario, options)
  const sameClass = siblings.filter(({ input }) => input?.headerClass === inspected.input?.headerClass)
  const byRules = searchByRules(root, [scenario], options)
  const faults = [...inspected.faults, ...byRules.faults, ...checkPins(root, [inspected, ...sameClass], false)]
  const found = [...inspected.found, ...byRules.found]
  return { ...inspected, found, faults: sortFaults(hideSecrets(faults, found, options.secrets)) }
}

/** What the kept rule set finds, where the guard was given one. */
function searchByRules(root: string, scenarios: readonly ScenarioFiles[], { rules }: GuardOptions) {
  const faults: FixtureFault[] = []
  const reportFor =
    (name: string): Report =>
    (path, message, line) =>
      faults.push({ file: `${root}/${name}/${path}`, message, line })
  return { faults, found: rules ? checkByRules(scenarios, rules, reportFor) : [] }
}

function looseFile(root: string, name: string): FixtureFault {
  return {
    file: `${root}/${name}`,
    message: `unknown file; only ${README} and the directories of scenarios belong here`,
  }
}
