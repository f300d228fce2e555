import fc from 'fast-check'
import { CappedText } from '../src/capped-text.ts'

const pieces = fc.array(fc.string({ unit: 'binary' }))

function capped(max: number, texts: readonly string[]): CappedText {
  const text = new CappedText(max)
  for (const piece of texts) text.add(piece)
  return text
}

test('keeps everything that fits, to the last byte', () => {
  const text = capped(5, ['ab', '€'])
  expect([text.text, text.bytes, text.truncated]).toEqual(['ab€', 5, false])
})

test('cuts before a character that does not fit, and keeps nothing after the cut', () => {
  const text = capped(6, ['ab€', '😀', 'c'])
  expect([text.text, text.bytes, text.truncated]).toEqual(['ab€', 10, true])
})

test('is the longest prefix of whole characters that fits, however the text is split', () => {
  fc.assert(
    fc.property(pieces, fc.nat(40), (texts, max) => {
      const whole = texts.join('')
      const { text, bytes, truncated } = capped(max, texts)
      const next = [...whole.slice(text.length)][0] ?? ''
      expect(whole.startsWith(text)).toBe(true)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max)
      expect(truncated).toBe(text !== whole)
      if (truncated) expect(Buffer.byteLength(text + next)).toBeGreaterThan(max)
      expect(bytes).toBe(Buffer.byteLength(whole))
    }),
  )
})
