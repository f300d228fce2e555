import { inBrief } from '../fault.ts'
import { suggest } from './suggest.ts'

/** Reports a problem of a step. */
export type ReportProblem = (problem: string) => void

/**
 * The sessions that a script has created, by name. Only the first one may have no name; a step without a session
 * refers to it.
 */
export class SessionNames {
  readonly #names: (string | undefined)[] = []

  add(name: string | undefined, report: ReportProblem): void {
    if (name === undefined && this.#names.length > 0) report('a later session needs a name: "as"')
    if (name !== undefined && this.#names.includes(name)) report(`there is a session ${quote(name)} already`)
    this.#names.push(name)
  }

  /** The number of the session that a step refers to. */
  find(name: string | undefined, report: ReportProblem): number | undefined {
    if (this.#names.length === 0) {
      report('no earlier step made a session (newSession)')
      return undefined
    }
    if (name === undefined) {
      if (this.#names.length > 1 && this.#names[0] !== undefined) {
        report(`"session" must say which session it is: ${this.#list()}`)
      }
      return 0
    }
    const found = this.#names.indexOf(name)
    if (found !== -1) return found
    const hint =
      suggest(
        name,
        this.#names.filter((known) => known !== undefined),
      ) || `; there is ${this.#list()}`
    report(`no earlier step made a session ${quote(name)}${hint}`)
    return undefined
  }

  #list(): string {
    const names = this.#names.slice(0, 10).map((name) => (name === undefined ? 'one without a name' : quote(name)))
    const more = this.#names.length - names.length
    return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  }
}

function quote(name: string): string {
  return inBrief(JSON.stringify(name), 100)
}
