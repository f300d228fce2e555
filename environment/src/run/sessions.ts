import type { Response, Update } from './peer.ts'

/** One session of a run: its name in the script, its id, and the updates received for it. */
export interface RunSession {
  name: string | undefined
  id: string
  /** Its working directory. */
  cwd: string
  updates: Update[]
  /** How many of the updates earlier steps have consumed. */
  seen: number
  /** How many permission requests the agent has sent for it. */
  asked: number
  /** The response to its background prompt. */
  prompt: Promise<Response> | undefined
}

/** The sessions of a run, in the order of their creation. */
export class RunSessions {
  readonly #sessions: RunSession[] = []
  /** Updates for a session that arrived before the response that names it. */
  #early: Update[] = []
  #wake: () => void = () => undefined

  add(name: string | undefined, id: string, cwd: string): void {
    const updates = this.#early.filter(({ sessionId }) => sessionId === id)
    this.#early = this.#early.filter(({ sessionId }) => sessionId !== id)
    this.#sessions.push({ name, id, cwd, updates, seen: 0, asked: 0, prompt: undefined })
  }

  /** The session that a step refers to. The fixture guard has checked that it exists. */
  find(name: string | undefined): RunSession {
    const found = name === undefined ? this.#sessions[0] : this.#sessions.find((session) => session.name === name)
    if (!found) throw new Error(`no session ${name ?? ''}`)
    return found
  }

  /** Whether a prompt was sent in the background that no step has waited for. */
  get hasBackgroundPrompt(): boolean {
    return this.#sessions.some(({ prompt }) => prompt !== undefined)
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

  /** What the updates of a session said of a tool call, the later ones over the earlier ones. */
  toolCall(sessionId: unknown, toolCallId: unknown): Record<string, unknown> {
    const session = this.#sessions.find(({ id }) => id === sessionId)
    const said = session?.updates.filter(({ value }) => value.toolCallId === toolCallId) ?? []
    return Object.assign({}, ...said.map(({ value }) => withoutNulls(value)))
  }

  /** The position of a session, from 1; 0 for an unknown one. */
  ordinalOf(sessionId: unknown): number {
    return this.#sessions.findIndex(({ id }) => id === sessionId) + 1
  }

  /** The working directory of a session; `undefined` for an unknown one. */
  cwdOf(sessionId: unknown): string | undefined {
    return this.#sessions.find(({ id }) => id === sessionId)?.cwd
  }

  receivePermissionRequest(sessionId: unknown): void {
    const session = this.#sessions.find(({ id }) => id === sessionId)
    if (session) session.asked++
    this.#wake()
  }

  /** Resolves once `reached` returns true. It is checked after each message; only one caller may wait at a time. */
  async until(reached: () => boolean): Promise<void> {
    while (!reached()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Resolves at the session's first unseen update that matches, and marks all updates up to it as seen. */
  async nextUpdate(session: RunSession, matches: (update: Update) => boolean): Promise<void> {
    let at = session.seen
    await this.until(() => {
      // `at` keeps its place, so each update is checked only once.
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

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
}
