import type { Callbacks } from "../../../shared/domain/durable/durable.ts";

export class RecordedCallbacks implements Callbacks {
  readonly completed: string[] = [];
  /** Set, each call fails with it. */
  failure: Error | undefined;

  async complete(callbackId: string): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.completed.push(callbackId);
  }
}
