import { posix } from 'node:path'
import { type FixtureFault, sortFaults } from './fault.ts'
import { README } from './files.ts'
import type { GuardOptions } from './guard/options.ts'
import { type ClassMember, checkPins } from './guard/pins.ts'
import { type Inspection, inspectScenario } from './guard/scenario.ts'
import { hideSecrets } from './guard/secrets/hide.ts'
import type { FixtureTree, ScenarioFiles } from './tree.ts'

/** The fixture guard, pure: every fault of the tree, sorted. An empty list means that each scenario can be run. */
export function guardFixtures(tree: FixtureTree, options: GuardOptions = {}): FixtureFault[] {
  const inspected = tree.scenarios.map((scenario) => inspectScenario(tree.root, scenario, options))
  const faults = [
    ...tree.loose.filter((name) => name !== README).map((name) => looseFile(tree.root, name)),
    ...[...(tree.refused ?? [])].map(([name, message]) => ({ file: posix.join(tree.root, name), message })),
    ...inspected.flatMap((scenario) => scenario.faults),
    ...checkPins(tree.root, inspected, options.complete === true),
  ]
  return sortFaults(
    hideSecrets(
      faults,
      inspected.flatMap(({ found }) => found),
      options.secrets,
    ),
  )
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
  const faults = [...inspected.faults, ...checkPins(root, [inspected, ...sameClass], false)]
  return { ...inspected, faults: sortFaults(hideSecrets(faults, inspected.found, options.secrets)) }
}

function looseFile(root: string, name: string): FixtureFault {
  return {
    file: `${root}/${name}`,
    message: `unknown file; only ${README} and the directories of scenarios belong here`,
  }
}
