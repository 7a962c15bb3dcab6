import type { Answer } from "../desktop.ts";
import type { Timing } from "../timing.ts";

const rememberedActionsMax = 1_000;
const rememberedMs = 600_000;
/** Above this sum of all remembered bodies the oldest become brief or are dropped; their action ids stay. */
const rememberedBodyBytesMax = 64 * 1024 * 1024;

export type RememberedAction =
  | { readonly kind: "unknown" }
  | { readonly kind: "in_flight"; readonly answer: Promise<Answer> }
  | { readonly kind: "answered"; readonly answer: Answer }
  /** The action was done, but its response was too large to keep. */
  | { readonly kind: "answer_gone" };

interface Entry {
  readonly answer: Answer | undefined;
  readonly bytes: number;
  readonly expiresAt: number;
}

/** The memory outlives connections, because a repeated call usually comes over the next one. */
export class ActionMemory {
  readonly #timing: Timing;
  readonly #bodyBytesMax: number;
  readonly #inFlight = new Map<string, Promise<Answer>>();
  /** A Map keeps the order of insertion, so the oldest actions come first. */
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

  /** `act` must not reject: a failure is a response, too. */
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

  #keep(actionId: string, whole: Answer): void {
    const answer = bytesOf(whole) <= this.#bodyBytesMax ? whole : whole.brief;
    this.#remember(actionId, answer, this.#timing.now() + rememberedMs);
    this.#forgetExpired();
    for (const [id, entry] of this.#done) {
      if (this.#done.size <= rememberedActionsMax) break;
      this.#forget(id, entry);
    }
    this.#makeRoom((entry) => entry.answer?.brief !== undefined);
    this.#makeRoom(() => true);
  }

  #makeRoom(mayShorten: (entry: Entry) => boolean): void {
    for (const [id, entry] of this.#done) {
      if (this.#bodyBytes <= this.#bodyBytesMax) return;
      if (!mayShorten(entry)) continue;
      this.#bodyBytes -= entry.bytes;
      this.#remember(id, entry.answer?.brief, entry.expiresAt);
    }
  }

  #remember(id: string, answer: Answer | undefined, expiresAt: number): void {
    const bytes = answer === undefined ? 0 : bytesOf(answer);
    this.#done.set(id, { answer, bytes, expiresAt });
    this.#bodyBytes += bytes;
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

function bytesOf({ body }: Answer): number {
  return body instanceof Uint8Array ? body.byteLength : Number.POSITIVE_INFINITY;
}
