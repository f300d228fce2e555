import { describeMismatch } from '../../src/surfaces/describe-mismatch.ts'
import type { Difference } from '../../src/surfaces/first-difference.ts'

const DIFFERENCE = { line: 6, path: 'params.a', expected: 'one', got: undefined, differing: 1 }

interface Parts {
  difference?: Difference
  diff?: string | null
  stderr?: string
}

function messageOf({ difference = DIFFERENCE, diff = '- one', stderr = 'oops\n' }: Parts = {}): string {
  const mismatch = {
    headline: 'the transcript differs from stdout.golden.jsonl',
    first: { place: 'frame 7 (step 3, prompt)', difference },
    texts: { expected: 'one', got: '' },
    showsStderr: true,
    next: 'If this is wanted: npx jest x -u',
  }
  return describeMismatch(mismatch, { scenario: 'x', stderr, refused: [], diff: () => diff })
}

test('shows the first difference, then the diff, then stderr, then what to do', () => {
  expect(messageOf()).toBe(
    [
      'scenario x: the transcript differs from stdout.golden.jsonl',
      '  first at frame 7 (step 3, prompt), params.a:',
      '    expected "one"',
      '    got      nothing',
      '  1 line differs in all',
      '',
      '- one',
      '',
      'stderr of the agent:',
      '  | oops',
      '',
      'If this is wanted: npx jest x -u',
    ].join('\n'),
  )
})

test('lines that differ as a whole have no field, and a diff may be missing', () => {
  const difference = { line: 0, path: '', expected: { a: 1 }, got: null, differing: 2 }
  const message = messageOf({ difference, diff: null, stderr: '' })
  expect(message.split('\n').slice(1, 7)).toEqual([
    '  first at frame 7 (step 3, prompt):',
    '    expected {"a":1}',
    '    got      null',
    '  2 lines differ in all',
    '',
    'The agent wrote nothing to stderr.',
  ])
})

test('two long texts are shown from the point where they differ', () => {
  const [a, b] = ['a', 'b'].map((letter) => 'x'.repeat(5000) + letter + 'y'.repeat(10))
  const message = messageOf({ difference: { ...DIFFERENCE, expected: a, got: b } })
  expect(message).toContain(
    `    expected "…${'x'.repeat(60)}ayyyyyyyyyy"\n    got      "…${'x'.repeat(60)}byyyyyyyyyy"\n`,
  )
})

test('a long value is shortened', () => {
  const difference = { ...DIFFERENCE, expected: 'z'.repeat(5000) }
  expect(messageOf({ difference })).toContain(`"${'z'.repeat(299)}… (5002 characters)\n`)
})

test('only the end of a long stderr is shown', () => {
  const stderr = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')
  const message = messageOf({ stderr })
  expect(message).toContain('stderr of the agent:\n  … 60 earlier lines\n  | line 60\n')
  expect(message).toContain('  | line 99\n\nIf this is wanted')
})

describe('the diff', () => {
  const shown = (diff: string) => messageOf({ diff }).split('in all\n\n')[1]?.split('\n\nstderr')[0] ?? ''

  test('is complete when it is short', () => {
    expect(shown('- a\n+ b')).toBe('- a\n+ b')
  })

  test('has at most sixty lines and the number of omitted lines', () => {
    const lines = Array.from({ length: 75 }, (_, i) => `+ ${i}`)
    expect(shown(lines.join('\n')).split('\n')).toEqual([...lines.slice(0, 60), '… 15 more lines of diff'])
    expect(shown(lines.slice(0, 60).join('\n'))).toBe(lines.slice(0, 60).join('\n'))
  })

  test('has shortened lines that still reset their colour', () => {
    expect(shown(`+ ${'a'.repeat(300)}`)).toBe(`+ ${'a'.repeat(238)}…`)
    expect(shown(`\u001b[32m+ ${'a'.repeat(300)}\u001b[39m`)).toBe(`\u001b[32m+ ${'a'.repeat(233)}…\u001b[39m`)
  })
})

test('a mismatch may have only a headline', () => {
  const context = { scenario: 'x', stderr: 'oops', refused: [], diff: () => 'never asked for' }
  expect(describeMismatch({ headline: 'all is gone', showsStderr: false }, context)).toBe('scenario x: all is gone')
})
