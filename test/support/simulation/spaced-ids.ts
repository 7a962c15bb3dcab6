import type { Clock, Ids } from "../../../shared/domain/clock.ts";

/** Ids derived from one lie within this many places after it, and meet no other. */
const space = 0x1_0000;

export class SpacedIds implements Ids {
  readonly #clock: Pick<Clock, "now">;
  #count = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  uuid7(): string {
    this.#count += 1;
    const time = this.#clock.now().toString(16).padStart(12, "0");
    const tail = (this.#count * space).toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
  }
}
