import type { SetAside } from "../../../shared/domain/stream/failed-records.ts";

/** Keeps the entries set aside, unless a test makes it fail. */
export class InMemorySetAside implements SetAside<object> {
  readonly records: object[] = [];
  isAway = false;

  async put(record: object): Promise<void> {
    if (this.isAway) throw new Error("nobody takes it");
    this.records.push(record);
  }
}
