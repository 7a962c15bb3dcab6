import type { Logger } from "../logger.ts";

/** An event of the stream's mapping, or a replay of records that were set aside. */
export interface StreamEvent<R> {
  readonly Records: readonly R[];
  readonly is_replay?: true;
}

/** A queue for records that a repeat would not help; an operator can send them again from there. */
export interface SetAside<R> {
  put(record: R): Promise<void>;
}

export interface FailedRecordsDeps<R> {
  readonly setAside: SetAside<R>;
  /** True if the failure may pass by itself: throttles, time-outs, faults of AWS's own. */
  readonly isPassing: (cause: unknown) => boolean;
  readonly logger: Logger;
}

interface Failure {
  readonly cause: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

export class FailedRecords<R extends object> {
  readonly #deps: FailedRecordsDeps<R>;
  readonly #failures = new Map<R, Failure[]>();

  constructor(deps: FailedRecordsDeps<R>) {
    this.#deps = deps;
  }

  add(record: R, cause: unknown, fields: Failure["fields"] = {}): void {
    this.#failures.set(record, [...(this.#failures.get(record) ?? []), { cause, fields }]);
  }

  /** A batch is repeated from the first of the records returned. Permanent failures before it are set aside. */
  async settle({ Records: records, is_replay: isReplay }: StreamEvent<R>): Promise<readonly R[]> {
    const failed = records.filter((record) => this.#failures.has(record));
    const first = isReplay ? 0 : failed.findIndex((record) => this.#isPassing(record));
    const again = first < 0 ? [] : failed.slice(first);
    for (const record of again) {
      this.#log(isReplay ? "error" : "warn", "a record of the table's stream failed and is repeated", record);
    }
    for (const record of first < 0 ? failed : failed.slice(0, first)) {
      this.#log("error", "a record of the table's stream failed and is set aside", record);
      try {
        await this.#deps.setAside.put(record);
      } catch (cause) {
        this.#deps.logger.error("a record of the table's stream could not be set aside and is repeated", {
          cause,
        });
        again.push(record);
      }
    }
    return again;
  }

  #isPassing(record: R): boolean {
    return (this.#failures.get(record) ?? []).some(({ cause }) => this.#deps.isPassing(cause));
  }

  #log(level: "warn" | "error", message: string, record: R): void {
    for (const { cause, fields } of this.#failures.get(record) ?? []) {
      this.#deps.logger[level](message, { ...fields, cause });
    }
  }
}
