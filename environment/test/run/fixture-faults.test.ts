import { HEADER, line, log } from '../guard/fixtures.ts'
import { failureOf, START, type Staged } from './support.ts'

/** What the guard says, whole; nothing has been started when it does. */
async function guarded(staged: Partial<Staged>): Promise<string> {
  return failureOf({ agent: 'no-such-agent', ...staged })
}

/** The fault's file is named from the current directory, wherever that lies. */
const WHERE = /^ {2}1\. .*\/fixtures\/x\//

test.each<[string, Partial<Staged>, string]>([
  [
    'an unknown op',
    { input: { steps: [...START, { op: 'promt', text: 'hi' }] } },
    'input.json: step 3: unknown op "promt"; did you mean "prompt"?',
  ],
  [
    'an unknown key',
    { input: { steps: [...START, { op: 'prompt', txt: 'hi' }] } },
    'input.json: step 3 (prompt): unknown key "txt"; did you mean "text"? (the known keys are: text, content, session, background)',
  ],
  [
    'a missing session.jsonl',
    { files: { 'session.jsonl': undefined } },
    'session.jsonl: is missing; npx jest <x> writes it',
  ],
  [
    'a torn log',
    { files: { 'session.jsonl': log().slice(0, -1) } },
    'session.jsonl:7: the last line has no newline: it is torn',
  ],
  [
    'a log of another version',
    { files: { 'session.jsonl': HEADER.replace('"version":0', '"version":7') } },
    'session.jsonl:1: log version 7 is not supported; this reader knows version 0',
  ],
  [
    'an override without the flag',
    { files: { 'replay.override.json': '[]' } },
    'replay.override.json: not allowed here: input.json does not say "overridden": true',
  ],
  [
    'the flag without an override',
    { input: { overridden: true } },
    'replay.override.json: is missing; input.json says "overridden": true, so the model script must be here',
  ],
])('%s is reported completely before an agent starts', async (_, staged, fault) => {
  const [headline, ...faults] = (await guarded(staged)).split('\n')
  expect(headline).toBe('the fixture guard found 1 fault:')
  expect(faults).toEqual([expect.stringMatching(WHERE)])
  expect(faults[0]?.replace(/npx jest \S+\/x\//, 'npx jest <x>').replace(WHERE, '')).toBe(fault)
})

test('all faults are reported at once and numbered', async () => {
  const files = { 'stray.txt': '', 'session.jsonl': line({ type: 'session', version: 7 }) }
  const message = await guarded({ input: { steps: [{ op: 'initialise' }] }, files })
  expect(message).toMatch(
    /^the fixture guard found 3 faults:\n {2}1\. .*input\.json: step 1: .*\n {2}2\. .*session\.jsonl:1: .*\n {2}3\. .*stray\.txt: unknown file;/,
  )
})
