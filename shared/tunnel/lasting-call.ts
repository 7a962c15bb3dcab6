import type { Clock } from "../domain/clock.ts";
import type { Logger } from "../domain/logger.ts";
import type { CallName } from "../domain/tunnel/call-records.ts";
import { type CallSlot, type CallSlots, callLeaseMs } from "../domain/tunnel/call-slots.ts";
import type { CallsUnderWay } from "../domain/tunnel/calls-under-way.ts";

export interface LastingCallDeps {
  readonly slots: Pick<CallSlots, "take" | "giveBack">;
  readonly callsUnderWay: CallsUnderWay;
  readonly clock: Clock;
}

/** The time for a driver to refuse a call that found no slot, and for the calls that are over to give theirs back. */
const refusalMs = 1_000;

/**
 * Only a call that lasts counts, and takes a slot: a short one costs no write, because a driver refuses a fifth by itself.
 * A failed write must not hide the answer, since the leases of count and slot end by themselves.
 */
export class LastingCall {
  readonly #deps: LastingCallDeps;
  readonly #call: CallName;
  readonly #logger: Pick<Logger, "warn">;
  readonly #over = Promise.withResolvers<"over">();
  #begun: Promise<CallSlot | undefined> | undefined;

  constructor(deps: LastingCallDeps, call: CallName, logger: Pick<Logger, "warn">) {
    this.#deps = deps;
    this.#call = call;
    this.#logger = logger;
  }

  /** @param giveUp is called for an excess call, which must not hold a place: its driver has not refused it either. */
  begin(giveUp: () => void): void {
    this.#begun = Promise.all([this.#take(giveUp), this.#count()]).then(([slot]) => slot);
  }

  async end(background: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    this.#over.resolve("over");
    if (this.#begun === undefined) return;
    const { slots, callsUnderWay } = this.#deps;
    const slot = await this.#begun;
    await background(async () => {
      const given = slot && slots.giveBack(slot).catch(this.#warn);
      await Promise.all([given, callsUnderWay.end(this.#call).catch(this.#warn)]);
    });
  }

  async #take(giveUp: () => void): Promise<CallSlot | undefined> {
    const { slots, clock } = this.#deps;
    try {
      const slot = await slots.take(this.#call);
      if (slot !== undefined) return slot;
      // The caller of a call that is over gives its slot back once it has seen the answer, at most a second later.
      const waited = clock.sleep(refusalMs).then(() => "waited" as const);
      if ((await Promise.race([waited, this.#over.promise])) === "over") return undefined;
      const later = await slots.take(this.#call);
      if (later === undefined) giveUp();
      return later;
    } catch (cause) {
      this.#warn(cause);
      return undefined;
    }
  }

  async #count(): Promise<void> {
    const { callsUnderWay, clock } = this.#deps;
    await callsUnderWay.begin(this.#call, clock.now() + callLeaseMs).catch(this.#warn);
  }

  readonly #warn = (cause: unknown): void => {
    this.#logger.warn("a call under way was not counted", { cause });
  };
}
