import { posix } from 'node:path'
import { type FixtureFault, sortFaults } from '../scenario/fault.ts'
import { README } from '../scenario/files.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import type { FixtureTree, ScenarioFiles } from '../scenario/tree.ts'
import { checkByRules } from '../secrets/check-by-rules.ts'
import { hideSecrets } from '../secrets/hide-secrets.ts'
import type { InspectedScenario } from '../surfaces/surface.ts'
import { isStreamed, surfaces } from '../surfaces/surfaces.ts'
import type { GuardOptions } from './guard-options.ts'
import { type Inspection, inspectScenario } from './inspect-scenario.ts'

/** The fixture guard: every fault of the tree, sorted. An empty list means that each scenario can run. */
export function guardFixtures(tree: FixtureTree, options: GuardOptions = {}): FixtureFault[] {
  const inspected = tree.scenarios.map((scenario) => inspectScenario(tree.root, scenario, options))
  const byRules = searchByRules(tree.root, tree.scenarios, options)
  const faults = [
    ...tree.loose.filter((name) => name !== README).map((name) => looseFile(tree.root, name)),
    ...[...(tree.refused ?? [])].map(([name, message]) => ({ file: posix.join(tree.root, name), message })),
    ...inspected.flatMap((scenario) => scenario.faults),
    ...byRules.faults,
    ...checkTogether(tree.root, inspected, options.complete === true),
  ]
  const found = [...inspected.flatMap((scenario) => scenario.found), ...byRules.found]
  return sortFaults(hideSecrets(faults, found, options.secrets))
}

/**
 * The guard for one scenario, before it runs.
 *
 * @param siblings the other scenarios: one of them may pin the same header class
 */
export function guardScenario(
  root: string,
  scenario: ScenarioFiles,
  siblings: readonly InspectedScenario[],
  options: GuardOptions = {},
): Inspection {
  const inspected = inspectScenario(root, scenario, options)
  const sameClass = siblings.filter(({ input }) => input?.headerClass === inspected.input?.headerClass)
  const byRules = searchByRules(root, [scenario], options)
  const faults = [...inspected.faults, ...byRules.faults, ...checkTogether(root, [inspected, ...sameClass], false)]
  const found = [...inspected.found, ...byRules.found]
  return { ...inspected, found, faults: sortFaults(hideSecrets(faults, found, options.secrets)) }
}

function checkTogether(root: string, scenarios: readonly InspectedScenario[], complete: boolean): FixtureFault[] {
  return surfaces.flatMap((surface) => surface.checkTogether?.(root, scenarios, complete) ?? [])
}

/** Searches with the external rule set, if the options have one. */
function searchByRules(root: string, scenarios: readonly ScenarioFiles[], { rules }: GuardOptions) {
  const faults: FixtureFault[] = []
  const reportFor =
    (name: string): ReportFault =>
    (path, message, line) =>
      faults.push({ file: `${root}/${name}/${path}`, message, line })
  return { faults, found: rules ? checkByRules(scenarios, { search: rules, isStreamed }, reportFor) : [] }
}

function looseFile(root: string, name: string): FixtureFault {
  return {
    file: `${root}/${name}`,
    message: `unknown file; only ${README} and the directories of scenarios belong here`,
  }
}
