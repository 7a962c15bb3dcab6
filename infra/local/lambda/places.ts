import { environmentsAtOnce, patienceInStarts, patienceMs, patienceMsMax, startsAtOnce } from "./limits.ts";

interface PlacesUser {
  readonly state: { readonly environments: number };
  /** One of its environments ended a request then. */
  readonly freedAtMs: number;
  readonly longestIdleSinceMs: number | undefined;
  endLongestIdle(): void;
  startForWaiting(): void;
}

/** The machine's memory bounds the number of all functions' environments, its processors how many start at once. */
export class Places {
  readonly #max: number;
  readonly #users: () => readonly PlacesUser[];
  #starting = 0;
  #lastStartMs = 0;

  constructor(max: number, users: () => readonly PlacesUser[]) {
    this.#max = max;
    this.#users = users;
  }

  /** Ends another function's idle environment where no place is free. */
  isOneFree(of: PlacesUser, waitedMs: number): boolean {
    if (this.#starting >= startsAtOnce) return false;
    // A function without an environment starts one in any case, because others may wait for what it does.
    if (of.state.environments === 0) return true;
    const count = this.#users().reduce((sum, { state }) => sum + state.environments, 0);
    if (of.state.environments < environmentsAtOnce && count < this.#max) return true;
    if (waitedMs < this.#patienceMs(of, waitedMs)) return false;
    return count < this.#max || this.#endLongestIdle();
  }

  async starting<T>(start: () => Promise<T>): Promise<T> {
    this.#starting += 1;
    const sinceMs = performance.now();
    try {
      return await start();
    } finally {
      this.#lastStartMs = performance.now() - sinceMs;
      this.#starting -= 1;
    }
  }

  /** An environment is idle or has started: its place or its turn may go to a request that waits. */
  offer(): void {
    const users = this.#users().toSorted((one, other) => one.state.environments - other.state.environments);
    for (const user of users) user.startForWaiting();
  }

  #patienceMs({ freedAtMs }: PlacesUser, waitedMs: number): number {
    if (performance.now() - freedAtMs > waitedMs) return patienceMs;
    return Math.min(Math.max(patienceMs, patienceInStarts * this.#lastStartMs), patienceMsMax);
  }

  #endLongestIdle(): boolean {
    const sinceMs = (user: PlacesUser) => user.longestIdleSinceMs ?? Number.POSITIVE_INFINITY;
    const several = this.#users().filter(({ state }) => state.environments > 1);
    // A flood of one function must not make the next request of each other function wait for a start.
    const users = several.length > 0 ? several : this.#users();
    const [longest] = users.toSorted((one, other) => sinceMs(one) - sinceMs(other));
    // One that is idle only between two requests of a busy function would be started again at once.
    if (longest === undefined || performance.now() - sinceMs(longest) < patienceMs) return false;
    longest.endLongestIdle();
    return true;
  }
}
