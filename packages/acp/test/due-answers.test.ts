import { DueAnswers } from '../src/due-answers.ts'

const request = (id: number | string | null, method: string) => ({ jsonrpc: '2.0' as const, id, method })
const answer = (id: number | string | null) => ({ jsonrpc: '2.0' as const, id, result: {} })

/** Whether a promise has settled after all pending microtasks have run. */
async function settled(promise: Promise<void>): Promise<boolean> {
  let done = false
  void promise.then(() => {
    done = true
  })
  await new Promise(setImmediate)
  return done
}

test('nothing is pending at first', async () => {
  await expect(settled(new DueAnswers().answered('all'))).resolves.toBe(true)
})

test('a request is pending until its answer is sent', async () => {
  const due = new DueAnswers()
  due.received(request(1, 'session/new'))
  due.received(request('1', 'session/new'))
  const all = due.answered('all')
  due.sent(answer(1))
  await expect(settled(all)).resolves.toBe(false)
  due.sent(answer('1'))
  await expect(settled(all)).resolves.toBe(true)
})

test('prompts are tracked separately', async () => {
  const due = new DueAnswers()
  due.received(request(1, 'session/prompt'))
  due.received(request(2, 'session/load'))
  const [all, others] = [due.answered('all'), due.answered('but prompts')]
  due.sent(answer(2))
  await expect(settled(others)).resolves.toBe(true)
  await expect(settled(all)).resolves.toBe(false)
  due.sent(answer(1))
  await expect(settled(all)).resolves.toBe(true)
})

test('notifications and the agent’s own requests are not answers, and none is pending for them', async () => {
  const due = new DueAnswers()
  due.received({ jsonrpc: '2.0', method: 'session/cancel' })
  await expect(settled(due.answered('all'))).resolves.toBe(true)
  due.received(request(1, 'session/new'))
  due.sent(request(1, 'fs/read_text_file'))
  due.sent({ jsonrpc: '2.0', method: 'session/update' })
  await expect(settled(due.answered('all'))).resolves.toBe(false)
})

test('nothing is pending for a request with an invalid id', async () => {
  const due = new DueAnswers()
  due.received(JSON.parse('{"jsonrpc":"2.0","id":{},"method":"initialize"}'))
  due.received(JSON.parse('{"jsonrpc":"2.0","id":1,"method":2}'))
  await expect(settled(due.answered('all'))).resolves.toBe(true)
})

test('nothing is pending once no answer can be sent', async () => {
  const due = new DueAnswers()
  due.received(request(1, 'session/prompt'))
  const all = due.answered('all')
  due.abandon()
  await expect(settled(all)).resolves.toBe(true)
})
