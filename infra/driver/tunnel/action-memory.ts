import type { Answer } from "../desktop.ts";
import type { Timing } from "../timing.ts";

export const rememberedActionsMax = 1_000;
export const rememberedMs = 600_000;
/** All remembered bodies together; above it the oldest bodies go, their action ids stay. */
const rememberedBodyBytesMax = 64 * 1024 * 1024;

export type RememberedAction =
  | { readonly kind: "unknown" }
  | { readonly kind: "in_flight"; readonly answer: Promise<Answer> }
  | { readonly kind: "answered"; readonly answer: Answer }
  /** It was done; its answer was too large to keep. */
  | { readonly kind: "answer_gone" };

interface Entry {
  readonly answer: Answer | undefined;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * What has been done lately, so that nothing is done twice.
 *
 * It belongs to the driver and not to a connection: the repetition of a call usually comes over the next one.
 */
export class ActionMemory {
  readonly #timing: Timing;
  readonly #bodyBytesMax: number;
  readonly #inFlight = new Map<string, Promise<Answer>>();
  /** Oldest first, as a Map keeps the order of insertion. */
  readonly #done = new Map<string, Entry>();
  #bodyBytes = 0;

  constructor(timing: Timing, bodyBytesMax = rememberedBodyBytesMax) {
    this.#timing = timing;
    this.#bodyBytesMax = bodyBytesMax;
  }

  find(actionId: string): RememberedAction {
    this.#forgetExpired();
    const inFlight = this.#inFlight.get(actionId);
    if (inFlight !== undefined) return { kind: "in_flight", answer: inFlight };
    const done = this.#done.get(actionId);
    if (done === undefined) return { kind: "unknown" };
    return done.answer === undefined ? { kind: "answer_gone" } : { kind: "answered", answer: done.answer };
  }

  /** Remembers the action from its start. `act` must not reject: a failure is an answer, too. */
  async run(actionId: string, act: () => Promise<Answer>): Promise<Answer> {
    const answer = act();
    this.#inFlight.set(actionId, answer);
    try {
      this.#keep(actionId, await answer);
    } finally {
      this.#inFlight.delete(actionId);
    }
    return await answer;
  }

  #keep(actionId: string, answer: Answer): void {
    const bytes = answer.body instanceof Uint8Array ? answer.body.byteLength : Number.POSITIVE_INFINITY;
    const keepsBody = bytes <= this.#bodyBytesMax;
    this.#done.set(actionId, {
      answer: keepsBody ? answer : undefined,
      bytes: keepsBody ? bytes : 0,
      expiresAt: this.#timing.now() + rememberedMs,
    });
    this.#bodyBytes += keepsBody ? bytes : 0;
    this.#forgetExpired();
    for (const [id, entry] of this.#done) {
      if (this.#done.size <= rememberedActionsMax) break;
      this.#forget(id, entry);
    }
    for (const [id, entry] of this.#done) {
      if (this.#bodyBytes <= this.#bodyBytesMax) break;
      this.#bodyBytes -= entry.bytes;
      this.#done.set(id, { answer: undefined, bytes: 0, expiresAt: entry.expiresAt });
    }
  }

  #forgetExpired(): void {
    const now = this.#timing.now();
    for (const [id, entry] of this.#done) {
      if (entry.expiresAt > now) return;
      this.#forget(id, entry);
    }
  }

  #forget(id: string, entry: Entry): void {
    this.#done.delete(id);
    this.#bodyBytes -= entry.bytes;
  }
}
