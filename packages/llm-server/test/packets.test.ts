import fc from 'fast-check'
import { cutAtRandom, cutInsideCharacters } from '../src/packets.ts'
import { createRandom } from '../src/seeded-random.ts'

const bytes = fc.string({ unit: 'grapheme' }).map((text) => new TextEncoder().encode(text))

test('the packets join to the original bytes, and none is empty or too long', () => {
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 9 }), fc.nat(), (bytes, longest, seed) => {
      const packets = cutAtRandom(bytes, longest, createRandom(seed))
      expect(Buffer.concat(packets)).toEqual(Buffer.from(bytes))
      for (const packet of packets) {
        expect(packet.length).toBeGreaterThan(0)
        expect(packet.length).toBeLessThanOrEqual(longest)
      }
    }),
  )
})

test('a cut inside characters leaves no packet with a whole multi-byte character', () => {
  fc.assert(
    fc.property(bytes, (bytes) => {
      const packets = cutInsideCharacters(bytes)
      expect(Buffer.concat(packets)).toEqual(Buffer.from(bytes))
      for (const packet of packets) {
        const text = new TextDecoder().decode(packet)
        expect([...text].filter((character) => character > '\x7f' && character !== '\ufffd')).toEqual([])
      }
    }),
  )
})
