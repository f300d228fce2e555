import { isUtf8 } from 'node:buffer'

/** One JSON-RPC 2.0 message of the agent. `text` is the line as the agent wrote it, without the line end. */
export interface Frame {
  kind: 'frame'
  text: string
  value: Record<string, unknown>
}

/** A line of the agent's stdout that is not a message. ACP forbids all of these. */
export interface Noise {
  kind: 'noise'
  text: string
  why: 'torn' | 'blank' | 'too long' | 'not UTF-8' | 'not JSON' | 'not a JSON-RPC 2.0 message'
}

const LF = 0x0a
const MAX_LINE_BYTES = 64 * 1024 * 1024
const EXCERPT_BYTES = 200

/**
 * Splits the agent's stdout into lines, and separates messages from noise.
 *
 * It splits bytes before decoding them, so a character that two reads share stays whole. ACP's stdio transport:
 * newlines delimit messages, a message contains none, and nothing else may be written to stdout. So a blank line is
 * noise, and so is a last line without a newline (`torn`). A CR before the LF is JSON white space; it is dropped, since
 * an agent on Windows may write it. A line above the limit is `too long`, and its text is an excerpt.
 */
export class FrameReader {
  readonly #maxBytes: number
  #held: Buffer[] = []
  #size = 0

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Takes the next bytes, and returns the lines that they complete. */
  push(chunk: Buffer): (Frame | Noise)[] {
    const lines: (Frame | Noise)[] = []
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#hold(chunk.subarray(start, end))
      lines.push(this.#takeLine())
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
    return lines
  }

  /** Call it at the end of the stream. Returns the torn last line, if there is one. */
  end(): (Frame | Noise)[] {
    if (this.#size === 0) return []
    const line = this.#takeLine()
    return [line.kind === 'noise' && line.why === 'too long' ? line : { kind: 'noise', text: line.text, why: 'torn' }]
  }

  #hold(bytes: Buffer): void {
    const room = Math.max(0, this.#maxBytes - this.#size)
    this.#size += bytes.length
    if (room > 0) this.#held.push(bytes.subarray(0, room))
  }

  #takeLine(): Frame | Noise {
    const bytes = Buffer.concat(this.#held)
    const tooLong = this.#size > this.#maxBytes
    this.#held = []
    this.#size = 0
    if (!tooLong) return parseLine(bytes)
    return { kind: 'noise', text: `${bytes.subarray(0, EXCERPT_BYTES).toString('utf8')}…`, why: 'too long' }
  }
}

function parseLine(bytes: Buffer): Frame | Noise {
  const text = bytes.toString('utf8').replace(/\r$/, '')
  if (!isUtf8(bytes)) return { kind: 'noise', text, why: 'not UTF-8' }
  if (text.trim() === '') return { kind: 'noise', text, why: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'noise', text, why: 'not JSON' }
  }
  if (isMessage(value)) return { kind: 'frame', text, value }
  return { kind: 'noise', text, why: 'not a JSON-RPC 2.0 message' }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
}
