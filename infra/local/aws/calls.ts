import { BoundedList } from "./bounded-list.ts";

const recentMax = 10_000;

export interface CallRecord {
  readonly functionName: string;
  /** The application id in the caller's user agent (AWS_SDK_UA_APP_ID), e.g. one worker's name. */
  readonly worker: string | undefined;
  readonly service: string;
  readonly operation: string;
  /** Time of arrival, ISO 8601 in UTC. */
  readonly at: string;
  /** HTTP status of the response; 0 when the connection was cut before there was one. */
  readonly status: number;
}

/** A call that its role does not allow: a grant that the template lacks. */
export interface Denial extends Pick<CallRecord, "functionName" | "service" | "operation"> {
  /** AWS's message: which principal may not do what with which resource. */
  readonly message: string;
}

export interface CallsSnapshot {
  /** functionName -> service -> operation -> calls, refused ones and those that met a fault included. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;
  /** The last 10,000 calls in the order in which they ended, oldest first. */
  readonly recent: readonly CallRecord[];
}

/** Records who called which operation, and how often. Bodies and keys are not kept. */
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
