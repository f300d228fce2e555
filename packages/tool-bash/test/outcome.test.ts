import type { ShellResult } from '@acp-snapshot/shell'
import { toOutcome } from '../src/outcome.ts'

/** A command that printed `output` and exited with 0, unless `rest` says otherwise. */
function result(output: string, rest: Partial<ShellResult> = {}): ShellResult {
  return {
    output,
    exitCode: 0,
    signal: null,
    timeoutMs: 120_000,
    timedOut: false,
    truncated: false,
    outputBytes: Buffer.byteLength(output),
    aborted: false,
    ...rest,
  }
}

const ended = (text: string) => ({ content: [{ type: 'text', text }], isError: false })

const cutOff = (code: string, text: string) => ({
  content: [{ type: 'text', text }],
  isError: true,
  error: { name: 'ToolError', code },
})

test('returns the output unchanged', () => {
  expect(toOutcome(result('a\n\nb'))).toEqual(ended('a\n\nb'))
  expect(toOutcome(result('a\n'))).toEqual(ended('a\n'))
})

test('says when there is no output', () => {
  expect(toOutcome(result(''))).toEqual(ended('(no output)'))
})

test('a non-zero exit is not an error, and the last line names the code', () => {
  expect(toOutcome(result('boom\n', { exitCode: 2 }))).toEqual(ended('boom\n[exit code: 2]'))
  expect(toOutcome(result('boom', { exitCode: 2 }))).toEqual(ended('boom\n[exit code: 2]'))
  expect(toOutcome(result('', { exitCode: 1 }))).toEqual(ended('(no output)\n[exit code: 1]'))
})

test('keeps an empty last line before the exit code', () => {
  expect(toOutcome(result('boom\n\n', { exitCode: 2 }))).toEqual(ended('boom\n\n[exit code: 2]'))
})

test('names the signal of a shell that was killed', () => {
  expect(toOutcome(result('', { exitCode: null, signal: 'SIGSEGV' }))).toEqual(
    ended('(no output)\n[killed by SIGSEGV]'),
  )
})

test('a time-out is an error, and keeps the output', () => {
  const outcome = toOutcome(result('begun\n', { timedOut: true, timeoutMs: 500, exitCode: null, signal: 'SIGTERM' }))
  expect(outcome).toEqual(cutOff('TIMEOUT', 'begun\n[timed out after 500 ms]'))
})

test('an abort is an error, whatever the exit code', () => {
  expect(toOutcome(result('begun\n', { aborted: true, exitCode: 7 }))).toEqual(cutOff('ABORTED', 'begun\n[aborted]'))
})

test('says how much of the output was cut, before how the command ended', () => {
  const outcome = toOutcome(result('€€', { truncated: true, outputBytes: 900, exitCode: 1 }))
  expect(outcome).toEqual(ended('€€\n[output cut: these are the first 6 of 900 bytes]\n[exit code: 1]'))
})
