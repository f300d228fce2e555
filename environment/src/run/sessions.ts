import type { Response, Update } from './peer.ts'

/** One session of a run: what the script calls it, its id, and what has come for it. */
export interface RunSession {
  name: string | undefined
  id: string
  updates: Update[]
  /** How many of the updates earlier steps have seen. */
  seen: number
  /** How many permissions the agent has asked for in it. */
  asked: number
  /** The prompt that runs in the background. */
  prompt: Promise<Response> | undefined
}

/** The sessions that a run has made, in the order of their making. */
export class RunSessions {
  readonly #sessions: RunSession[] = []
  /** What came for a session before the response that names it. */
  #early: Update[] = []
  #wake: () => void = () => undefined

  add(name: string | undefined, id: string): void {
    const updates = this.#early.filter(({ sessionId }) => sessionId === id)
    this.#early = this.#early.filter(({ sessionId }) => sessionId !== id)
    this.#sessions.push({ name, id, updates, seen: 0, asked: 0, prompt: undefined })
  }

  /** The session that a step means: the fixture guard has seen to it that there is one. */
  find(name: string | undefined): RunSession {
    const found = name === undefined ? this.#sessions[0] : this.#sessions.find((session) => session.name === name)
    if (!found) throw new Error(`no session ${name ?? ''}`)
    return found
  }

  get ids(): string[] {
    return this.#sessions.map(({ id }) => id)
  }

  receive(update: Update): void {
    const session = this.#sessions.find(({ id }) => id === update.sessionId)
    const updates = session?.updates ?? this.#early
    updates.push(update)
    this.#wake()
  }

  receivePermissionRequest(sessionId: unknown): void {
    const session = this.#sessions.find(({ id }) => id === sessionId)
    if (session) session.asked++
    this.#wake()
  }

  /** Resolves once what has come makes `reached` true. One waits at a time. */
  async until(reached: () => boolean): Promise<void> {
    while (!reached()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Resolves at the first update of a session that no step has seen and that matches; all up to it are then seen. */
  async nextUpdate(session: RunSession, matches: (update: Update) => boolean): Promise<void> {
    let at = session.seen
    await this.until(() => {
      // Each update is looked at once, however many come.
      for (let update = session.updates[at]; update; update = session.updates[at]) {
        at++
        if (!matches(update)) continue
        session.seen = at
        return true
      }
      return false
    })
  }
}
