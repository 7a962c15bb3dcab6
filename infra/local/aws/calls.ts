import { BoundedList } from "./bounded-list.ts";

const recentMax = 10_000;

export interface CallRecord {
  readonly functionName: string;
  /** The worker is the application id in the caller's user agent (AWS_SDK_UA_APP_ID). */
  readonly worker: string | undefined;
  readonly service: string;
  readonly operation: string;
  readonly at: string;
  /** The status is 0 when the connection was cut before there was a response. */
  readonly status: number;
}

export interface Denial extends Pick<CallRecord, "functionName" | "service" | "operation"> {
  readonly message: string;
}

export interface CallsSnapshot {
  /** Counts are by functionName, service and operation; refused calls and those that met a fault count, too. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;
  readonly recent: readonly CallRecord[];
}

/** Bodies and keys are not kept. */
export class CallLog {
  readonly #recent = new BoundedList<CallRecord>(recentMax);
  #counts = new Map<string, { readonly call: CallRecord; count: number }>();

  add(call: CallRecord): void {
    this.#recent.add(call);
    const id = JSON.stringify([call.functionName, call.service, call.operation]);
    const known = this.#counts.get(id);
    if (known) known.count += 1;
    else this.#counts.set(id, { call, count: 1 });
  }

  snapshot(): CallsSnapshot {
    const counts: Record<string, Record<string, Record<string, number>>> = {};
    for (const { call, count } of this.#counts.values()) {
      const services = counts[call.functionName] ?? {};
      services[call.service] = { ...services[call.service], [call.operation]: count };
      counts[call.functionName] = services;
    }
    return { counts, recent: this.#recent.snapshot() };
  }

  clear(): void {
    this.#recent.clear();
    this.#counts = new Map();
  }
}
