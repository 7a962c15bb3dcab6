import type { Clock } from "../domain/clock.ts";
import type { CallName, CallRecords } from "../domain/tunnel/call-records.ts";
import { countedAfterMs } from "../domain/tunnel/calls-under-way.ts";
import type { MailboxPart, MailboxStore } from "../domain/tunnel/mailbox.ts";
import { AnswerAssembly, isSettledOnArrival, type WholeAnswer } from "./answer-assembly.ts";

/** An answer mostly takes some 30 ms; after a longer wait, longer pauses hardly matter. */
const firstPausesMs = [10, 15, 25, 40] as const;
/** These pauses follow the time at which the answer was likely. */
const nextPausesMs = [5, 10, ...firstPausesMs] as const;
/** Each pause applies from this long after the youngest request. */
const laterPauses = [
  { afterMs: 5_000, pauseMs: 1_000 },
  { afterMs: 1_000, pauseMs: 250 },
  { afterMs: 0, pauseMs: 50 },
] as const;
/** An answer that comes at any time is awaited with pauses that a viewer does not notice; later they cost less. */
const watchPauses = [
  { afterMs: 2_000, pauseMs: 100 },
  { afterMs: 0, pauseMs: 50 },
] as const;
const livenessEveryMs = 1_000;
/** An answer that has come is on record so soon, by the clocks of two functions; what is sooner the looks find out. */
const onRecordWithinMs = 10;
/** A function of the release before, or one that died, does not say in a call's record that its answer is in the mailbox. */
const unnotedEveryMs = 2_000;

export interface AnswerSources {
  readonly mailboxes: Pick<MailboxStore, "poll">;
  readonly callRecords: Pick<CallRecords, "read">;
}

export interface ExpectedResponse {
  readonly websocketId: string;
  readonly requestId: string;
  /** The record that has the answer, or says that the mailbox has it. @default none, the mailbox has it */
  readonly call?: CallName | undefined;
  readonly deadlineMs: number;
  /** The time after which the answer is likely to be there. @default unknown */
  readonly likelyMs?: number | undefined;
  /** Until this time the answer may come at any moment. */
  readonly watchedUntilMs: number;
  /** Returns whether the connection that the answer would come from is live, in one consistent read. */
  readonly isLive: () => Promise<boolean>;
  /** Called once, when the wait has taken `countedAfterMs`. */
  readonly onLasting: () => void;
}

export type Wait =
  /** `withinMs` is the time after which the answer was there: as its record says, or at most one pause too long. */
  | {
      readonly kind: "whole";
      readonly answer: WholeAnswer;
      readonly withinMs: number;
      /** The call's record says that it is over, or will. */
      readonly isEnded: boolean;
    }
  | { readonly kind: "connection_lost" }
  /** The answer may have been there where a poll failed meanwhile. */
  | { readonly kind: "timeout"; readonly isBlind: boolean };

interface Waiting extends Omit<ExpectedResponse, "deadlineMs"> {
  deadlineMs: number;
  readonly assembly: AnswerAssembly;
  readonly settle: PromiseWithResolvers<Wait>;
  readonly sinceMs: number;
  nextLivenessAtMs: number;
  /** The mailbox of a call is read at this time even though its record names no answer. */
  nextMailboxAtMs: number;
  /** The time is infinite once `onLasting` was called. */
  lastsAtMs: number;
  isLost: boolean;
  isBlind: boolean;
  isEnded: boolean;
  /** A look has not found the answer. */
  isMissed: boolean;
}

/** Waits for all the answers of one mailbox and its calls with one poller, which runs only while one is expected. */
export class MailboxWatch {
  readonly mailbox: string;
  readonly #sources: AnswerSources;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  #cursor:
    | { readonly text: string; readonly after: Pick<MailboxPart, "websocketId" | "requestId"> }
    | undefined;
  #youngestAtMs = 0;
  #pausesMs: readonly number[] = firstPausesMs;
  #pauses = 0;
  /** Pauses count from the beginning of one poll to that of the next. */
  #lookMs = 0;
  #wake: PromiseWithResolvers<void> = Promise.withResolvers();
  #isRunning = false;
  #wasUsed = false;

  constructor(mailbox: string, sources: AnswerSources, clock: Clock) {
    this.mailbox = mailbox;
    this.#sources = sources;
    this.#clock = clock;
  }

  /** Nothing is expected any more, and a new mailbox would be cheaper to read. */
  get isSpent(): boolean {
    return this.#wasUsed && this.#waiting.size === 0;
  }

  async wait(expected: ExpectedResponse): Promise<Wait> {
    const now = this.#clock.now();
    const waiting: Waiting = {
      ...expected,
      assembly: new AnswerAssembly(),
      settle: Promise.withResolvers(),
      nextLivenessAtMs: now + livenessEveryMs,
      nextMailboxAtMs: expected.call === undefined ? 0 : now + unnotedEveryMs,
      sinceMs: now,
      lastsAtMs: now + countedAfterMs,
      isLost: false,
      isBlind: false,
      isEnded: false,
      isMissed: false,
    };
    this.#wasUsed = true;
    this.#waiting.set(expected.requestId, waiting);
    if (this.#cursor && compare(expected, this.#cursor.after) <= 0) this.#cursor = undefined;
    this.#youngestAtMs = now;
    const { likelyMs } = expected;
    this.#pausesMs = likelyMs === undefined ? firstPausesMs : [likelyMs, ...nextPausesMs];
    this.#pauses = 0;
    this.#lookMs = 0;
    this.#wake.resolve();
    if (!this.#isRunning) void this.#run();
    return await waiting.settle.promise;
  }

  /** Brings the deadline of a request forward, if it is still awaited. */
  hasten(requestId: string, deadlineMs: number): void {
    const waiting = this.#waiting.get(requestId);
    if (waiting) waiting.deadlineMs = Math.min(waiting.deadlineMs, deadlineMs);
  }

  /** Never rejects: the waiting callers get the errors of a poll. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      this.#wake = Promise.withResolvers();
      const pause = this.#clock.sleep(this.#nextPauseMs()).then(() => "slept");
      const woken = this.#wake.promise.then(() => "woken");
      if ((await Promise.race([pause, woken])) === "woken") continue;
      const fromMs = this.#clock.now();
      await this.#look();
      this.#lookMs = this.#clock.now() - fromMs;
    }
    this.#isRunning = false;
  }

  #nextPauseMs(): number {
    const now = this.#clock.now();
    const waitedMs = now - this.#youngestAtMs;
    const isWatching = [...this.#waiting.values()].some(({ watchedUntilMs }) => now < watchedUntilMs);
    const later = isWatching ? watchPauses : laterPauses;
    const pause =
      this.#pausesMs[this.#pauses++] ?? later.find(({ afterMs }) => waitedMs >= afterMs)?.pauseMs ?? 0;
    const deadlineMs = Math.min(...[...this.#waiting.values()].map((waiting) => waiting.deadlineMs));
    return Math.max(0, Math.min(pause - this.#lookMs, deadlineMs - now));
  }

  /** Polls once. A request is given up only after a poll that began after its deadline, from the mailbox's start. */
  async #look(): Promise<void> {
    await this.#findLost();
    const now = this.#clock.now();
    for (const waiting of this.#waiting.values()) {
      if (now < waiting.lastsAtMs) continue;
      waiting.lastsAtMs = Infinity;
      waiting.onLasting();
    }
    const givenUp = [...this.#waiting.values()].filter(
      (waiting) => waiting.isLost || now >= waiting.deadlineMs,
    );
    try {
      const isNoted = await this.#readRecords(now);
      const due = [...this.#waiting.values()].filter(({ nextMailboxAtMs }) => now >= nextMailboxAtMs);
      for (const waiting of due) if (waiting.call) waiting.nextMailboxAtMs = now + unnotedEveryMs;
      if (isNoted || due.length > 0 || givenUp.some(({ requestId }) => this.#waiting.has(requestId))) {
        const after = givenUp.length > 0 ? undefined : this.#cursor?.text;
        this.#take(await this.#sources.mailboxes.poll(this.mailbox, after), now);
      }
    } catch (error) {
      // The next poll may succeed; only requests without a next poll get the error.
      for (const waiting of this.#waiting.values()) waiting.isBlind = true;
      for (const waiting of givenUp) this.#finish(waiting, () => waiting.settle.reject(error));
      return;
    }
    for (const waiting of this.#waiting.values()) waiting.isMissed = true;
    for (const waiting of givenUp) {
      const { isLost, isBlind } = waiting;
      const wait: Wait = isLost ? { kind: "connection_lost" } : { kind: "timeout", isBlind };
      this.#finish(waiting, () => waiting.settle.resolve(wait));
    }
  }

  /** @returns whether a record says that an answer, or a part of it, is in the mailbox. */
  async #readRecords(polledAtMs: number): Promise<boolean> {
    const calls = [...this.#waiting.values()].flatMap(({ call }) => (call ? [call] : []));
    if (calls.length === 0) return false;
    const answers = await this.#sources.callRecords.read(calls);
    for (const { requestId, answer, isEnded, durationMs } of answers) {
      const waiting = this.#waiting.get(requestId);
      if (!waiting) continue;
      waiting.isEnded = isEnded;
      if (!answer) continue;
      const { headers = {}, body = new Uint8Array(), status, uploaded } = answer;
      this.#settleWhole(waiting, { status, headers, body, uploaded, parts: 1 }, polledAtMs, durationMs);
    }
    return answers.some(({ answer }) => answer === undefined);
  }

  /** @param durationMs from the request to its answer. @default unknown */
  #settleWhole(waiting: Waiting, answer: WholeAnswer, polledAtMs: number, durationMs = Infinity): void {
    const foundMs = polledAtMs - waiting.sinceMs;
    const withinMs = waiting.isMissed ? foundMs : Math.min(foundMs, durationMs + onRecordWithinMs);
    const isEnded = waiting.call ? waiting.isEnded : isSettledOnArrival(answer);
    this.#finish(waiting, () => waiting.settle.resolve({ kind: "whole", answer, withinMs, isEnded }));
  }

  async #findLost(): Promise<void> {
    const now = this.#clock.now();
    const due = [...this.#waiting.values()].filter((waiting) => now >= waiting.nextLivenessAtMs);
    await Promise.all(
      due.map(async (waiting) => {
        waiting.nextLivenessAtMs = now + livenessEveryMs;
        // A failed read says nothing about the connection; the next one is a second away.
        waiting.isLost = !(await waiting.isLive().catch(() => true));
      }),
    );
  }

  #take(parts: readonly (MailboxPart & { readonly cursor: string })[], polledAtMs: number): void {
    for (const part of parts) {
      const waiting = this.#waiting.get(part.requestId);
      if (waiting?.websocketId !== part.websocketId) continue;
      waiting.assembly.add(part);
      const answer = waiting.assembly.whole();
      if (answer) this.#settleWhole(waiting, answer, polledAtMs);
    }
    this.#moveCursor(parts);
  }

  /** Skips all parts before the first answer still expected, whose parts may arrive in any order. */
  #moveCursor(parts: readonly (MailboxPart & { readonly cursor: string })[]): void {
    for (const part of parts) {
      if ([...this.#waiting.values()].some((waiting) => compare(waiting, part) <= 0)) return;
      this.#cursor = {
        text: part.cursor,
        after: { websocketId: part.websocketId, requestId: part.requestId },
      };
    }
  }

  #finish(waiting: Waiting, settle: () => void): void {
    if (this.#waiting.delete(waiting.requestId)) settle();
  }
}

/** The mailbox is ordered by connection id, then by request id, as strings. */
function compare(
  one: Pick<MailboxPart, "websocketId" | "requestId">,
  other: Pick<MailboxPart, "websocketId" | "requestId">,
): number {
  if (one.websocketId !== other.websocketId) return one.websocketId < other.websocketId ? -1 : 1;
  if (one.requestId === other.requestId) return 0;
  return one.requestId < other.requestId ? -1 : 1;
}
