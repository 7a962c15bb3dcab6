import type { ResponseMessage } from "../../../shared/contract/tunnel.ts";
import { splitBody } from "../../../shared/contract/tunnel-frames.ts";
import type { Timing } from "../timing.ts";

const firstResendMs = 2_000;

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body has at most `tunnelBodyBytesMax` bytes and is empty when uploaded. */
  readonly body: Uint8Array;
  readonly uploaded: boolean;
}

interface Unacknowledged {
  readonly parts: Map<number, ResponseMessage>;
  cancel: () => void;
}

function toMessages(id: string, replyTo: string, answer: WireResponse): ResponseMessage[] {
  const parts = splitBody(answer.body);
  return parts.map((body, part) => ({
    type: "response" as const,
    id,
    reply_to: replyTo,
    status: answer.status,
    ...(part === 0 ? { headers: { ...answer.headers } } : {}),
    part,
    parts: parts.length,
    ...(body.byteLength > 0 ? { body: Buffer.from(body).toString("base64") } : {}),
    ...(answer.uploaded ? { uploaded: true } : {}),
  }));
}

/** No other connection may respond in the place of this one, which `reply_to` names. */
export class ResponseSender {
  readonly #send: (message: ResponseMessage) => void;
  readonly #timing: Timing;
  readonly #unacknowledged = new Map<string, Unacknowledged>();

  constructor(send: (message: ResponseMessage) => void, timing: Timing) {
    this.#send = send;
    this.#timing = timing;
  }

  get waits(): boolean {
    return this.#unacknowledged.size > 0;
  }

  answer(id: string, replyTo: string, deadline: number, answer: WireResponse): void {
    const messages = toMessages(id, replyTo, answer);
    const waiting = {
      parts: new Map(messages.map((message) => [message.part, message])),
      cancel: () => {},
    };
    this.#unacknowledged.set(id, waiting);
    for (const message of messages) this.#send(message);
    this.#resendLater(id, waiting, firstResendMs, deadline);
  }

  acknowledge(id: string, part: number): void {
    const waiting = this.#unacknowledged.get(id);
    if (waiting === undefined) return;
    waiting.parts.delete(part);
    if (waiting.parts.size > 0) return;
    waiting.cancel();
    this.#unacknowledged.delete(id);
  }

  stop(): void {
    for (const { cancel } of this.#unacknowledged.values()) cancel();
    this.#unacknowledged.clear();
  }

  #resendLater(id: string, waiting: Unacknowledged, delayMs: number, deadline: number): void {
    waiting.cancel = this.#timing.after(delayMs, () => {
      if (this.#timing.now() >= deadline) {
        this.#unacknowledged.delete(id);
        return;
      }
      for (const message of waiting.parts.values()) this.#send(message);
      this.#resendLater(id, waiting, delayMs * 2, deadline);
    });
  }
}
