const kindsMax = 1_000;
const timesMax = 5;
/** The first answers of an instance take longer, and a first poll after such a time would find every answer late. */
const timesMin = 3;
/** A first poll at exactly the time of earlier answers would never find that they arrive sooner now. */
const sooner = 0.95;

/** The times of the last answers to an instance's calls, by kind of call. */
export class AnswerTimes {
  readonly #byKind = new Map<string, readonly number[]>();

  /**
   * @param kinds the narrowest first, since any is better than none.
   * @returns the milliseconds after which an answer is likely to be there.
   */
  expect(kinds: readonly string[]): number | undefined {
    const found = kinds.map((kind) => this.#byKind.get(kind) ?? []);
    const times = found.find(({ length }) => length >= timesMin);
    const [fastest, second = fastest] = (times ?? []).toSorted((one, other) => one - other);
    return second === undefined ? undefined : Math.floor(second * sooner);
  }

  note(kinds: readonly string[], ms: number): void {
    for (const kind of kinds) this.#note(kind, ms);
  }

  #note(kind: string, ms: number): void {
    const times = [...(this.#byKind.get(kind) ?? []), ms].slice(-timesMax);
    this.#byKind.delete(kind);
    this.#byKind.set(kind, times);
    const [oldest] = this.#byKind.keys();
    if (this.#byKind.size > kindsMax && oldest !== undefined) this.#byKind.delete(oldest);
  }
}
