import type { Desktop } from "./desktop.ts";
import type { DriverLog } from "./driver-log.ts";
import type { Timing } from "./timing.ts";

/** A driver that ends waits no longer for its desktop. */
const releaseMsMax = 2_000;
/** A caller that reconnects within this time finds its keys and buttons still held. */
const withoutServiceMs = 60_000;

export interface HeldInputOptions {
  readonly desktop: Desktop;
  readonly timing: Timing;
  readonly log: DriverLog;
}

export class HeldInput {
  readonly #desktop: Desktop;
  readonly #timing: Timing;
  readonly #log: DriverLog;
  #cancel = (): void => {};

  constructor({ desktop, timing, log }: HeldInputOptions) {
    this.#desktop = desktop;
    this.#timing = timing;
    this.#log = log;
  }

  onConnected(): void {
    this.#cancel();
  }

  onDisconnected(): void {
    this.#cancel();
    this.#cancel = this.#timing.after(withoutServiceMs, () => void this.release());
  }

  /** Never rejects, and takes at most 2 s. */
  async release(): Promise<void> {
    this.#cancel();
    const late = Promise.withResolvers<never>();
    const cancel = this.#timing.after(releaseMsMax, () => late.reject(new Error("the desktop is too slow")));
    try {
      await Promise.race([this.#desktop.releaseHeld(), late.promise]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown";
      this.#log("warn", "held keys and buttons not released", { reason });
    } finally {
      cancel();
    }
  }
}
