import { type AgentApp, type AnyMessage, ndJsonStream } from '@agentclientprotocol/sdk'
import { DueAnswers } from './due-answers.ts'

/** The connection to one editor. */
interface StdioServer {
  /** Resolves once stdin has ended and every request is answered, except prompts, which may run forever. */
  settle(): Promise<void>
  /** Resolves once prompts are answered too, and the answers are written to stdout. */
  close(): Promise<void>
}

/**
 * Serves an editor on stdin and stdout. The SDK drops pending answers when its input ends, so this hides the end of
 * stdin from it until `close` is called.
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
  // It also closes on unreadable input; pending requests then stay unanswered.
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
    // When the reader gives up (for example on a message that is too large), the process must end, not just stop reading.
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

/** A one-time event that others can wait for. */
class Signal {
  raise: () => void = () => undefined
  readonly raised = new Promise<void>((resolve) => {
    this.raise = resolve
  })
}
