import type { OrganizationId } from "../access/organization-id.ts";
import type { Clock } from "../clock.ts";
import type { QueueEntry } from "./queue-entry.ts";

/** There is no time left to begin anything; what was not done is to be done again. */
export class OutOfTime extends Error {
  constructor() {
    super("no time is left in this invocation");
    this.name = "OutOfTime";
  }
}

/** Left for what is under way, and for the answer. */
const reserveMs = 3_000;

/** Machines served at the same time: enough to hide the table's latency, few enough not to meet too often. */
export const atOnceMax = 8;

export interface MatchRoundOptions {
  readonly clock: Pick<Clock, "now">;
  /** When the invocation is cut off, in ms since the epoch. */
  readonly deadlineMs: number;
}

/**
 * What the parts of one invocation know of each other: how much time is left, which machines are being served, and
 * who is trying to place which entry. Other invocations are kept apart by the assignment alone.
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

  /** One at a time for each machine, and not too many in all. */
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
    // Whoever waits for it hears of its failure.
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

  /** The place goes to the next one, or becomes free. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Undefined when nobody is placing the entry; else whether it was placed in the end. */
  placingOf(entry: QueueEntry): Promise<boolean> | undefined {
    return this.#placing.get(keyOf(entry));
  }

  /** For one at a time: the others see by `placingOf` that it is being done. */
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
