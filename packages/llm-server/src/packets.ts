import type { Random } from './seeded-random.ts'

/** Cuts bytes into packets of 1 to `longest` bytes. */
export function cutAtRandom(bytes: Uint8Array, longest: number, random: Random): Uint8Array[] {
  const packets: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = start + random.integer(1, longest)
    packets.push(bytes.subarray(start, end))
    start = end
  }
  return packets
}

/** Cuts before each continuation byte of UTF-8, so that no packet contains a whole multi-byte character. */
export function cutInsideCharacters(bytes: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = []
  let start = 0
  for (const [i, byte] of bytes.entries()) {
    if ((byte & 0b1100_0000) !== 0b1000_0000) continue
    packets.push(bytes.subarray(start, i))
    start = i
  }
  packets.push(bytes.subarray(start))
  return packets
}
