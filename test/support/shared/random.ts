export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  int(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[int(0, from.length - 1)];
    if (picked === undefined && from.length === 0) throw new Error("there is nothing to pick from");
    return picked as T;
  };
  return { next, int, pick, chance: (probability) => next() < probability };
}
