import type { JestCommand } from '../command/hint.ts'
import type { ScenarioInput } from './input/parse-input.ts'
import type { FileContent } from './tree.ts'

/** A scenario that the guard has accepted. */
export interface Scenario {
  name: string
  /** The absolute path of its directory. */
  dir: string
  input: ScenarioInput
  /** Every file of the directory, by its path in it, with `/`. */
  files: ReadonlyMap<string, FileContent>
  /** Whether the fixture holds answers of the model, which a replay serves. */
  isRecorded: boolean
  /** The absolute path of the files that are copied into the run's directory, if there are any. */
  workspace?: string | undefined
  /** The same for the run's home directory. */
  home?: string | undefined
  /** The scenario that pins the header class, if there is one; it may be this one. `dir` is absolute. */
  pin?: { class: string; dir: string } | undefined
  /** The commands that messages name. */
  command: JestCommand
}
