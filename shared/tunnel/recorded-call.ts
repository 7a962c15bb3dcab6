import type { Logger } from "../domain/logger.ts";
import type { CallOutcome, CallRecords, DesktopCall } from "../domain/tunnel/call-records.ts";

/** A call's record, as its caller keeps it. A failed write must not hide the answer, since the record's lease ends by itself. */
export class RecordedCall {
  readonly #records: Omit<CallRecords, "arrive">;
  readonly #call: DesktopCall;
  readonly #logger: Pick<Logger, "warn">;
  #facts: string | undefined;
  #opened: Promise<boolean> | undefined;

  constructor(records: Omit<CallRecords, "arrive">, call: DesktopCall, logger: Pick<Logger, "warn">) {
    this.#records = records;
    this.#call = call;
    this.#logger = logger;
  }

  /** The text travels with the call. */
  get facts(): string | undefined {
    return this.#facts;
  }

  /**
   * A call whose record will have its answer needs none before it lasts: its facts travel with it, and open the record
   * with the answer. Any other record is opened beside the request, which need not wait for it.
   */
  async begin({ isLarge }: { readonly isLarge: boolean }): Promise<void> {
    if (!isLarge) this.#facts = await this.#describe();
    if (this.#facts === undefined) this.open();
  }

  open(): void {
    this.#opened ??= this.#open();
  }

  /** Returns whether there is a record that an answer may have ended. */
  async isThere(): Promise<boolean> {
    return (await this.#opened) ?? this.#facts !== undefined;
  }

  async end(outcome: CallOutcome): Promise<void> {
    try {
      await ((await this.#opened)
        ? this.#records.end(this.#call, outcome)
        : this.#records.note(this.#call, outcome));
    } catch (cause) {
      this.#logger.warn("a call's end is not on record; the lease of its record ends by itself", { cause });
    }
  }

  /** A call that was never sent leaves no line. */
  async withdraw(): Promise<void> {
    if (!(await this.#opened)) return;
    await this.#records.withdraw(this.#call).catch((cause: unknown) => {
      this.#logger.warn("a call that was never sent stays on record", { cause });
    });
  }

  async #describe(): Promise<string | undefined> {
    try {
      return await this.#records.describe(this.#call);
    } catch (cause) {
      this.#logger.warn("a call is put on record at once, since its facts do not travel with it", { cause });
      return undefined;
    }
  }

  async #open(): Promise<boolean> {
    try {
      await this.#records.open(this.#call);
      return true;
    } catch (cause) {
      this.#logger.warn("no record of a call could be opened", { cause });
      return false;
    }
  }
}
