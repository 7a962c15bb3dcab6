import type { OrganizationId } from "../access/organization-id.ts";
import type { Clock } from "../clock.ts";
import type { QueueEntry } from "./queue-entry.ts";

/** The invocation's time is up; unfinished triggers are retried. */
export class OutOfTime extends Error {
  constructor() {
    super("no time is left in this invocation");
    this.name = "OutOfTime";
  }
}

/** Reserved for work in progress and the response. */
const reserveMs = 3_000;

/** Machines served concurrently: enough to hide the table's latency, few enough to keep conflicts rare. */
export const atOnceMax = 8;

export interface MatchRoundOptions {
  readonly clock: Pick<Clock, "now">;
  /** When the invocation is cut off, in ms since the epoch. */
  readonly deadlineMs: number;
}

/**
 * State shared within one invocation: the time left, the machines being served, and the entries being placed. Between
 * invocations only the conditional assignment prevents conflicts.
 */
export class MatchRound {
  readonly #options: MatchRoundOptions;
  readonly #machines = new Map<string, Promise<unknown>>();
  readonly #placing = new Map<string, Promise<boolean>>();
  readonly #settled = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #free = atOnceMax;

  constructor(options: MatchRoundOptions) {
    this.#options = options;
  }

  /** @throws {OutOfTime} */
  requireTime(): void {
    if (this.#options.clock.now() > this.#options.deadlineMs - reserveMs) throw new OutOfTime();
  }

  /** Runs one `serve` at a time per machine, and at most `atOnceMax` in all. */
  async serving<T>(organizationId: OrganizationId, machineId: string, serve: () => Promise<T>): Promise<T> {
    const key = `${organizationId} ${machineId}`;
    const before = this.#machines.get(key);
    const turn = this.#afterOthers(before, serve);
    this.#machines.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#machines.get(key) === turn) this.#machines.delete(key);
    }
  }

  async #afterOthers<T>(before: Promise<unknown> | undefined, serve: () => Promise<T>): Promise<T> {
    // The earlier caller receives its failure.
    await before?.catch(() => undefined);
    await this.#enter();
    try {
      return await serve();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Passes the slot to the next waiter, or frees it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Resolves to whether the entry was placed; undefined when nobody is placing it. */
  placingOf(entry: QueueEntry): Promise<boolean> | undefined {
    return this.#placing.get(keyOf(entry));
  }

  /** Marks the entry as being placed, which others see in `placingOf`. */
  async placing<T>(
    entry: QueueEntry,
    place: () => Promise<T>,
    isPlaced: (outcome: T) => boolean,
  ): Promise<T> {
    const key = keyOf(entry);
    const outcome = place();
    const placed = outcome.then(isPlaced, () => false);
    this.#placing.set(key, placed);
    try {
      const result = await outcome;
      if (isPlaced(result)) this.#settled.add(key);
      return result;
    } finally {
      this.#placing.delete(key);
    }
  }

  /** Whether it was given a machine in this invocation. */
  isPlaced(entry: QueueEntry): boolean {
    return this.#settled.has(keyOf(entry));
  }
}

function keyOf({ organizationId, waiting, queuedAtMs }: QueueEntry): string {
  const id = waiting.kind === "run" ? waiting.runId : waiting.sessionId;
  return `${organizationId} ${waiting.kind} ${id} ${queuedAtMs}`;
}
