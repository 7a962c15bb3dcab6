import type { Clock, Ids } from "../../../shared/domain/clock.ts";

export class SequentialIds implements Ids {
  readonly #clock: Pick<Clock, "now"> | undefined;
  #count = 0;

  constructor(clock?: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  uuid7(): string {
    this.#count += 1;
    const time = (this.#clock?.now() ?? Date.UTC(2026, 0, 15, 12)).toString(16).padStart(12, "0");
    const count = this.#count.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`;
  }
}
