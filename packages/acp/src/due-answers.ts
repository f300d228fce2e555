import type { AnyMessage } from '@agentclientprotocol/sdk'

/** Which requests to wait for. A prompt may run forever; other requests do not. */
type Scope = 'all' | 'but prompts'

/** The editor's unanswered requests. */
export class DueAnswers {
  readonly #methods = new Map<string, string>()
  #waiting: { scope: Scope; resolve: () => void }[] = []

  received(message: AnyMessage): void {
    if (isRequest(message)) this.#methods.set(JSON.stringify(message.id), message.method)
  }

  sent(message: AnyMessage): void {
    if ('method' in message) return
    this.#methods.delete(JSON.stringify(message.id))
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ scope }) => this.#due(scope))
    for (const { scope, resolve } of waiting) if (!this.#due(scope)) resolve()
  }

  /** Call it when no more answers can be sent. */
  abandon(): void {
    this.#methods.clear()
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  /** Resolves once every request in the scope is answered. */
  answered(scope: Scope): Promise<void> {
    if (!this.#due(scope)) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ scope, resolve }))
  }

  #due(scope: Scope): boolean {
    if (scope === 'all') return this.#methods.size > 0
    return [...this.#methods.values()].some((method) => method !== 'session/prompt')
  }
}

/** A request with an invalid id is answered with the id null, so it is not tracked. */
function isRequest(message: AnyMessage): message is Extract<AnyMessage, { id: unknown; method: string }> {
  if (!('method' in message && 'id' in message)) return false
  const { id, method } = message as { id: unknown; method: unknown }
  return typeof method === 'string' && (id === null || typeof id === 'string' || typeof id === 'number')
}
