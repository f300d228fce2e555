import type { ServerAnswer } from '@acp-snapshot/llm-server'

/** The ways a provider fails, each with the message that the user gets. */
export const FAULTS: readonly { fault: string; answer: ServerAnswer; told: string }[] = [
  {
    fault: 'HTTP 401',
    answer: { fault: 'status', status: 401 },
    told: 'Authentication Fails, Your api key is invalid',
  },
  { fault: 'HTTP 402', answer: { fault: 'status', status: 402 }, told: 'Insufficient Balance' },
  { fault: 'HTTP 429', answer: { fault: 'status', status: 429 }, told: 'Rate limit reached' },
  { fault: 'HTTP 500', answer: { fault: 'status', status: 500 }, told: 'Server error' },
  { fault: 'HTTP 503', answer: { fault: 'status', status: 503 }, told: 'The server is overloaded' },
  { fault: 'a reset', answer: { fault: 'reset' }, told: 'no answer from http://127.0.0.1' },
  { fault: 'a cut', answer: { fault: 'cut', said: 'Half of' }, told: 'the stream was cut before it finished' },
  { fault: 'a stall', answer: { fault: 'stall', said: 'Half of' }, told: 'sent nothing for 3000 ms' },
  { fault: 'a stall before the answer', answer: { fault: 'stall' }, told: 'sent nothing for 3000 ms' },
  {
    fault: 'malformed SSE',
    answer: { fault: 'malformed', said: 'Half of' },
    told: 'an event of the stream is not JSON',
  },
  { fault: 'a wrong content type', answer: { fault: 'html' }, told: 'got content type text/html' },
  { fault: 'an empty body', answer: { fault: 'empty' }, told: 'it ended without a single chunk' },
  {
    fault: 'an answer that never finishes',
    answer: { kind: 'chunks', chunks: [{ type: 'text-delta', index: 0, text: 'Half of' }] },
    told: 'the stream ended before it finished',
  },
]

/**
 * How long the agent waits for a silent provider, in ms. Short for a stall, but long enough for an answer on a busy
 * machine. Long for all else, so that nothing else times out.
 */
export function idleTimeoutOf(answer: ServerAnswer): number {
  return typeof answer === 'object' && 'fault' in answer && answer.fault === 'stall' ? 3_000 : 60_000
}
