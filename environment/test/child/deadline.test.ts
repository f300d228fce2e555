import { settlesWithin, withDeadline } from '../../src/child/deadline.ts'

const never = new Promise<never>(() => {})

test('resolves with the value of the promise', async () => {
  await expect(withDeadline(Promise.resolve(7), 1000, 'a number')).resolves.toBe(7)
})

test('rejects with the error of the promise', async () => {
  await expect(withDeadline(Promise.reject(new Error('broken')), 1000, 'a number')).rejects.toThrow('broken')
})

test('the error says what it waited for, and how long', async () => {
  await expect(withDeadline(never, 5, 'the answer to initialize')).rejects.toThrow(
    'timed out after 5 ms waiting for the answer to initialize',
  )
})

test('leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
  const before = timers()
  await withDeadline(Promise.resolve(), 60_000, 'nothing')
  await settlesWithin(Promise.resolve(), 60_000)
  expect(timers()).toBe(before)
})

test('a rejection after the deadline is not unhandled', async () => {
  const unhandled = jest.fn()
  process.on('unhandledRejection', unhandled)
  let reject: (error: Error) => void = () => {}
  const promise = new Promise((_, fail) => {
    reject = fail
  })
  await expect(withDeadline(promise, 1, 'a late one')).rejects.toThrow('timed out after 1 ms')
  reject(new Error('late'))
  await new Promise(setImmediate)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

test('tells whether a promise resolves or rejects in time', async () => {
  await expect(settlesWithin(Promise.resolve(), 1000)).resolves.toBe(true)
  await expect(settlesWithin(Promise.reject(new Error('broken')), 1000)).resolves.toBe(true)
  await expect(settlesWithin(never, 5)).resolves.toBe(false)
})
