import { Tail } from '../../src/child/tail.ts'

test('keeps a text up to the limit', () => {
  const tail = new Tail(8)
  tail.push(Buffer.from('1234'))
  tail.push(Buffer.from('5678'))
  expect(tail.text).toBe('12345678')
})

test('keeps the end of a longer text, and says how much is missing', () => {
  const tail = new Tail(4)
  tail.push(Buffer.from('123'))
  tail.push(Buffer.from('456789'))
  expect(tail.text).toBe('[… 5 bytes cut …]\n6789')
})

test('does not begin inside a character', () => {
  const tail = new Tail(4)
  tail.push(Buffer.from('a€bc'))
  expect(tail.text).toBe('[… 4 bytes cut …]\nbc')
})
