import { judgeGolden, type UpdateMode, type Verdict } from '../../src/compare/golden.ts'

test.each<[string, string | undefined, Record<UpdateMode, Verdict>]>([
  ['is the same', 'a\n', { none: 'matches', new: 'matches', all: 'matches' }],
  ['differs', 'b\n', { none: 'differs', new: 'differs', all: 'update' }],
  ['is empty', '', { none: 'differs', new: 'differs', all: 'update' }],
  ['is not there', undefined, { none: 'is missing', new: 'add', all: 'add' }],
])('a golden that %s', (_, expected, verdicts) => {
  for (const [update, verdict] of Object.entries(verdicts)) {
    expect([update, judgeGolden(expected, 'a\n', update as UpdateMode)]).toEqual([update, verdict])
  }
})
