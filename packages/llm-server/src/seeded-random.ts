/** A source of random numbers with a seed, so that a run can be repeated. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
}

/** mulberry32, by Tommy Ettinger (public domain): fast-check has a generator, but it is a development dependency. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { integer: (min, max) => min + Math.floor(next() * (max - min + 1)) }
}
