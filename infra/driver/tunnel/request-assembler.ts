import type { RequestMessage, TunnelTransfer } from "../../../shared/contract/tunnel.ts";

/** No honest service sends more requests with missing parts. */
const incompleteMax = 32;
const seenIdsMax = 500;

export interface WholeRequest {
  readonly id: string;
  readonly replyTo: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly deadline: number;
  readonly actionId: string;
  readonly repeat: boolean;
  readonly body: Uint8Array;
  readonly download: TunnelTransfer | undefined;
  readonly upload: TunnelTransfer | undefined;
  readonly trace: string | undefined;
}

interface Incomplete {
  readonly deadline: number;
  readonly parts: Map<number, RequestMessage>;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function assemble(first: RequestMessage, parts: ReadonlyMap<number, RequestMessage>): WholeRequest {
  const bodies = Array.from({ length: first.parts }, (_, part) => parts.get(part)?.body ?? "");
  return {
    id: first.id,
    replyTo: first.reply_to,
    method: first.method,
    path: first.path,
    query: first.query,
    headers: lowerCased(first.headers ?? {}),
    deadline: first.deadline,
    actionId: first.action_id,
    repeat: first.repeat,
    body: Buffer.concat(bodies.map((body) => Buffer.from(body, "base64"))),
    download: first.download,
    upload: first.upload,
    trace: first.trace,
  };
}

export class RequestAssembler {
  readonly #incomplete = new Map<string, Incomplete>();
  readonly #seen = new Set<string>();

  get waits(): boolean {
    return this.#incomplete.size > 0;
  }

  /** @param now is the service's time in milliseconds. */
  add(message: RequestMessage, now: number): WholeRequest | undefined {
    this.#giveUp(now);
    if (this.#seen.has(message.id)) return undefined;
    const incomplete = this.#incomplete.get(message.id) ?? { deadline: message.deadline, parts: new Map() };
    incomplete.parts.set(message.part, message);
    const first = incomplete.parts.get(0);
    if (first === undefined || incomplete.parts.size < first.parts) {
      this.#incomplete.set(message.id, incomplete);
      return undefined;
    }
    this.#incomplete.delete(message.id);
    this.#remember(message.id);
    return assemble(first, incomplete.parts);
  }

  #remember(id: string): void {
    this.#seen.add(id);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= seenIdsMax) return;
      this.#seen.delete(oldest);
    }
  }

  #giveUp(now: number): void {
    for (const [id, { deadline }] of this.#incomplete) {
      if (deadline < now || this.#incomplete.size > incompleteMax) this.#incomplete.delete(id);
    }
  }
}
