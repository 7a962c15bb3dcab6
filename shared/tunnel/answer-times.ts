const kindsMax = 1_000;
const timesMax = 5;
/** The first answers of an instance take longer, and a first poll after such a time would find every answer late. */
const timesMin = 3;
/** A first poll at exactly the time of earlier answers would never find that they arrive sooner now. */
const sooner = 0.9;

/** The times of the last answers to an instance's calls, by kind of call. */
export class AnswerTimes {
  readonly #byKind = new Map<string, readonly number[]>();

  /** Returns the milliseconds after which an answer is likely to be there. */
  expect(kind: string): number | undefined {
    const times = this.#byKind.get(kind);
    if (times === undefined || times.length < timesMin) return undefined;
    return Math.floor(Math.min(...times) * sooner);
  }

  note(kind: string, ms: number): void {
    const times = [...(this.#byKind.get(kind) ?? []), ms].slice(-timesMax);
    this.#byKind.delete(kind);
    this.#byKind.set(kind, times);
    const [oldest] = this.#byKind.keys();
    if (this.#byKind.size > kindsMax && oldest !== undefined) this.#byKind.delete(oldest);
  }
}
