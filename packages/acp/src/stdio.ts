import { type AgentApp, type AnyMessage, ndJsonStream } from '@agentclientprotocol/sdk'
import { DueAnswers } from './due-answers.ts'

/** An editor that is being served. */
interface StdioServer {
  /** Resolves once stdin has ended and all that it asked for is answered, but for prompts: those may run forever. */
  settle(): Promise<void>
  /** Resolves once prompts are answered too, and the answers have left this process. */
  close(): Promise<void>
}

/**
 * Serves an editor on stdin and stdout. The SDK drops the answers that are due when its input ends, so it is told of
 * the end by `close` alone.
 */
export function serveStdio(app: AgentApp): StdioServer {
  const due = new DueAnswers()
  const wire = ndJsonStream(output(), input())
  const ended = new Signal()
  const closing = new Signal()
  const readable = wire.readable.pipeThrough(
    new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        due.received(message)
        controller.enqueue(message)
      },
      flush() {
        ended.raise()
        return closing.raised
      },
    }),
  )
  const writer = wire.writable.getWriter()
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      await writer.write(message)
      due.sent(message)
    },
  })
  const connection = app.connect({ readable, writable })
  // It also closes on input that cannot be read on; what is due then stays unanswered.
  void connection.closed.then(() => {
    ended.raise()
    due.abandon()
  })
  return {
    settle: async () => {
      await ended.raised
      await due.answered('but prompts')
    },
    close: async () => {
      await due.answered('all')
      closing.raise()
      connection.close()
    },
  }
}

function input(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      process.stdin.on('data', (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)))
      process.stdin.once('end', () => controller.close())
    },
    // So that a reader which gives up, as on a message that is too large, ends the process and not just its hearing.
    cancel(reason) {
      process.stdin.destroy(reason)
    },
  })
}

function output(): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (chunk) => new Promise<void>((resolve) => void process.stdout.write(chunk, () => resolve())),
  })
}

/** Something that happens once, and that others wait for. */
class Signal {
  raise: () => void = () => undefined
  readonly raised = new Promise<void>((resolve) => {
    this.raise = resolve
  })
}
