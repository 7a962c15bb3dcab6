import type { Clock } from "../clock.ts";
import { hashOf } from "../hash-of.ts";
import type { OrganizationId } from "../organization-id.ts";
import { byPriority, idOf, type QueueEntry } from "../run/waiting/queue-entry.ts";
import { SharedReads } from "./shared-reads.ts";
import { Turns } from "./turns.ts";

/** The invocation's time is over; unfinished triggers are retried. */
export class OutOfTime extends Error {
  constructor() {
    super("no time is left in this invocation");
    this.name = "OutOfTime";
  }
}

/** The organization has used its share of the round; the rest of its work gets an event of its own. */
export class ShareUsedUp extends OutOfTime {
  override readonly name = "ShareUsedUp";
}

/** Too many idle rows were read for one target, so the rest gets an event of its own. */
export class IdleRowsLeft extends Error {
  override readonly name = "IdleRowsLeft";
  readonly after: string;

  constructor(after: string) {
    super("idle rows are left to be read");
    this.after = after;
  }
}

/** The part of a round that one organization may use before others come first again. */
export interface Share {
  readonly entries: number;
  readonly checkMs: number;
}

/** A share is one check that takes as long as it may, or some 0.2 s of runs that cannot begin. */
const defaultShare: Share = { entries: 16, checkMs: 250 };

/** This time is reserved for work in progress and the response. */
const reserveMs = 3_000;

/** This many machines are served concurrently, which hides the table's latency and keeps conflicts rare. */
export const atOnceMax = 8;

/** A round that has met another one chooses among this many of the oldest runs; a lone round takes the very oldest. */
const oldestMax = 4 * atOnceMax;

export interface MatchRoundOptions {
  readonly clock: Pick<Clock, "now">;
  readonly deadlineMs: number;
  readonly changedAtMs?: number | undefined;
  readonly share?: Share | undefined;
  /** In an organization's turn, this many places are its own. @default none: places that nobody waits for are taken */
  readonly turnPlaces?: number | undefined;
}

/** State shared within one invocation; between invocations only the conditional assignment prevents conflicts. */
export class MatchRound {
  readonly reads = new SharedReads();
  readonly startedMs: number;
  readonly #options: MatchRoundOptions;
  readonly #machines = new Map<string, Promise<unknown>>();
  readonly #placing = new Map<string, Promise<boolean>>();
  readonly #settled = new Set<string>();
  readonly #waiting = new Turns<() => void>();
  readonly #used = new Map<OrganizationId, { entries: number; checkMs: number }>();
  readonly #full = new Set<OrganizationId>();
  /** True if the service executes as many runs as it may, as far as this round knows, or the turn is used up. */
  isServiceFull = false;
  readonly isTurn: boolean;
  hasUsedPlace = false;
  #turnPlaces: number;
  readonly #checks = new Map<OrganizationId, Promise<unknown>>();
  #free = atOnceMax;
  #hasMet = false;

  constructor(options: MatchRoundOptions) {
    this.#options = options;
    this.startedMs = options.clock.now();
    this.isTurn = options.turnPlaces !== undefined;
    this.#turnPlaces = options.turnPlaces ?? Number.POSITIVE_INFINITY;
  }

  usePlace(): void {
    this.hasUsedPlace = true;
    this.#turnPlaces -= 1;
    if (this.isTurnOver) this.isServiceFull = true;
  }

  get isTurnOver(): boolean {
    return this.#turnPlaces <= 0;
  }

  sinceChangeMs(nowMs: number): number | undefined {
    const { changedAtMs } = this.#options;
    return changedAtMs === undefined ? undefined : Math.max(0, nowMs - changedAtMs);
  }

  /** @throws {OutOfTime} */
  requireTime(): void {
    if (this.#options.clock.now() > this.#options.deadlineMs - reserveMs) throw new OutOfTime();
  }

  /** @throws {OutOfTime} or {ShareUsedUp} */
  requireShare(organizationId: OrganizationId): void {
    this.requireTime();
    const { share = defaultShare } = this.#options;
    const used = this.#usedBy(organizationId);
    if (used.entries >= share.entries || used.checkMs >= share.checkMs) throw new ShareUsedUp();
  }

  countEntries(organizationId: OrganizationId, entries: number): void {
    this.#usedBy(organizationId).entries += entries;
  }

  /** Runs one check of an organization at a time. @throws {ShareUsedUp} */
  async checking<T>(organizationId: OrganizationId, check: () => Promise<T>): Promise<T> {
    const before = this.#checks.get(organizationId);
    const turn = this.#checkAfter(before, organizationId, check);
    this.#checks.set(organizationId, turn);
    return await turn;
  }

  async #checkAfter<T>(
    before: Promise<unknown> | undefined,
    organizationId: OrganizationId,
    check: () => Promise<T>,
  ): Promise<T> {
    // The earlier caller receives its failure.
    await before?.catch(() => undefined);
    this.requireShare(organizationId);
    const { clock } = this.#options;
    const startedMs = clock.now();
    try {
      return await check();
    } finally {
      this.#usedBy(organizationId).checkMs += clock.now() - startedMs;
    }
  }

  #usedBy(organizationId: OrganizationId): { entries: number; checkMs: number } {
    const used = this.#used.get(organizationId) ?? { entries: 0, checkMs: 0 };
    this.#used.set(organizationId, used);
    return used;
  }

  /** Runs one `serve` at a time per machine, and at most `atOnceMax` in all, with the organizations in turn. */
  async serving<T>(organizationId: OrganizationId, machineId: string, serve: () => Promise<T>): Promise<T> {
    const key = `${organizationId} ${machineId}`;
    const before = this.#machines.get(key);
    const turn = this.#afterOthers(before, organizationId, serve);
    this.#machines.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#machines.get(key) === turn) this.#machines.delete(key);
    }
  }

  async #afterOthers<T>(
    before: Promise<unknown> | undefined,
    organizationId: OrganizationId,
    serve: () => Promise<T>,
  ): Promise<T> {
    // The earlier caller receives its failure.
    await before?.catch(() => undefined);
    await this.#enter(organizationId);
    try {
      return await serve();
    } finally {
      this.#leave();
    }
  }

  async #enter(organizationId: OrganizationId): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(organizationId, resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** True if the service executes as many of the organization's runs as it may, as far as this round knows. */
  isFull(organizationId: OrganizationId): boolean {
    return this.#full.has(organizationId);
  }

  setFull(organizationId: OrganizationId, isFull: boolean): void {
    if (isFull) this.#full.add(organizationId);
    else this.#full.delete(organizationId);
  }

  /** Records that another matcher places entries of the same queues. */
  meet(): void {
    this.#hasMet = true;
  }

  /** Once the round has met others, the machine's own order of the oldest keeps it from meeting them again. */
  inTurn<Entry extends QueueEntry>(entries: readonly Entry[], machineId: string): readonly Entry[] {
    if (!this.#hasMet) return entries;
    const open = entries.filter((entry) => !this.isPlaced(entry));
    const place = (entry: Entry) => hashOf(`${machineId} ${entryName(entry)}`);
    const oldest = open
      .slice(0, oldestMax)
      .sort((left, right) => byPriority(left, right) || place(left) - place(right));
    return [...oldest, ...open.slice(oldestMax)];
  }

  /** Resolves to whether the entry was placed. Returns undefined if nobody is placing it. */
  placingOf(entry: QueueEntry): Promise<boolean> | undefined {
    return this.#placing.get(entryName(entry));
  }

  async placing<T>(
    entry: QueueEntry,
    place: () => Promise<T>,
    isPlaced: (outcome: T) => boolean,
  ): Promise<T> {
    const key = entryName(entry);
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

  isPlaced(entry: QueueEntry): boolean {
    return this.#settled.has(entryName(entry));
  }
}

function entryName(entry: QueueEntry): string {
  const { organizationId, waiting, isPriority, queuedAtMs } = entry;
  return `${organizationId} ${waiting.kind} ${idOf(entry)} ${isPriority} ${queuedAtMs}`;
}
