import fc from 'fast-check'
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

test('keeps the same end of a text, however it comes, and whenever it is read', () => {
  const chunks = fc.array(fc.tuple(fc.uint8Array({ maxLength: 9 }), fc.boolean()), { maxLength: 40 })
  fc.assert(
    fc.property(chunks, fc.nat(12), (chunks, maxBytes) => {
      const tail = new Tail(maxBytes)
      for (const [bytes, reads] of chunks) {
        tail.push(Buffer.from(bytes))
        if (reads) tail.bytes
      }
      const once = new Tail(maxBytes)
      const all = Buffer.concat(chunks.map(([bytes]) => bytes))
      once.push(all)
      expect([tail.bytes, tail.cut, tail.text]).toEqual([once.bytes, once.cut, once.text])
      expect(tail.cut).toBe(Math.max(0, all.length - maxBytes))
      expect(all.subarray(all.length - tail.bytes.length)).toEqual(tail.bytes)
    }),
  )
})

test('keeps the end of many small chunks', () => {
  const tail = new Tail(3000)
  for (let i = 0; i < 5000; i++) tail.push(Buffer.from('ab'))
  expect([tail.cut, tail.bytes.toString()]).toEqual([7000, 'ab'.repeat(1500)])
})
