import { isEvent, type SessionEvent } from '@acp-snapshot/session'

/** A broken contract. The message names the session, the event's seq and the rule. */
export class InvariantError extends Error {
  override name = 'InvariantError'
}

/**
 * The event contract of one session's log: `seq` has no gaps; turns and steps are balanced and count from 1; chunks,
 * messages and tool events lie inside their own step; each call has one result; sources refer to earlier events.
 */
export class EventContract {
  readonly #sessionId: string
  #seq = 0
  #turns = 0
  #steps = 0
  #turn: number | undefined
  #step: number | undefined
  #finished = false
  #answered = false
  readonly #calls = new Set<string>()

  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  /** @throws InvariantError */
  check(event: SessionEvent): void {
    const require = (holds: boolean, rule: string): void => {
      if (!holds) throw new InvariantError(`session ${this.#sessionId}: ${event.type} at seq ${event.seq}: ${rule}`)
    }
    require(event.seq === this.#seq, `expected seq ${this.#seq}`)
    this.#seq++
    for (const source of event.sourceEventSeqs ?? [])
      require(source < event.seq, `source ${source} is not an earlier event`)
    this.#checkTurn(event, require)
    this.#checkStep(event, require)
    this.#checkContent(event, require)
  }

  #checkTurn(event: SessionEvent, require: (holds: boolean, rule: string) => void): void {
    if (isEvent(event, 'turn/start')) {
      require(this.#turn === undefined, `turn ${this.#turn} has not ended`)
      require(event.data.turn === this.#turns + 1, `expected turn ${this.#turns + 1}, got ${event.data.turn}`)
      this.#turn = ++this.#turns
      this.#steps = 0
    }
    if (isEvent(event, 'turn/end')) {
      require(this.#turn === event.data.turn, `turn ${event.data.turn} is not open`)
      require(this.#step === undefined, `step ${this.#step} has not ended`)
      this.#turn = undefined
    }
  }

  #checkStep(event: SessionEvent, require: (holds: boolean, rule: string) => void): void {
    if (isEvent(event, 'step/start')) {
      require(this.#turn === event.data.turn, `turn ${event.data.turn} is not open`)
      require(this.#step === undefined, `step ${this.#step} has not ended`)
      require(event.data.step === this.#steps + 1, `expected step ${this.#steps + 1}, got ${event.data.step}`)
      this.#step = ++this.#steps
      this.#finished = false
      this.#answered = false
    }
    if (isEvent(event, 'step/end')) {
      require(this.#turn === event.data.turn, `turn ${event.data.turn} is not open`)
      require(this.#step === event.data.step, `step ${event.data.step} is not open`)
      require(this.#calls.size === 0, `calls without a result: ${[...this.#calls].join(', ')}`)
      this.#step = undefined
    }
  }

  #checkContent(event: SessionEvent, require: (holds: boolean, rule: string) => void): void {
    const inStep =
      isEvent(event, 'assistant/chunk') ||
      isEvent(event, 'assistant/message') ||
      isEvent(event, 'tool/call') ||
      isEvent(event, 'tool/result')
    if (!inStep) return
    const { turn, step } = event.data
    require(turn === this.#turn && step === this.#step, `turn ${turn} step ${step} is not open`)
    if (isEvent(event, 'assistant/chunk')) {
      require(!this.#finished, 'a chunk after the finish')
      this.#finished = event.data.chunk.type === 'finish'
    }
    if (isEvent(event, 'assistant/message')) {
      require(this.#finished, 'a message before the finish')
      require(!this.#answered, 'a second message')
      this.#answered = true
    }
    if (isEvent(event, 'tool/call')) {
      require(!this.#calls.has(event.data.callId), `call ${event.data.callId} is already open`)
      this.#calls.add(event.data.callId)
    }
    if (isEvent(event, 'tool/result'))
      require(this.#calls.delete(event.data.callId), `no open call ${event.data.callId}`)
  }
}
