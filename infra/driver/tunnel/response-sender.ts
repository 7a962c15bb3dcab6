import type { ResponseMessage } from "../../../shared/contract/tunnel.ts";
import { splitBody } from "../../../shared/contract/tunnel-frames.ts";
import type { Timing } from "../timing.ts";

const firstResendMs = 2_000;

/** A driver gives fewer answers than this in the time that the gateway takes to report a failed frame. */
const singlesMax = 16;

/** An immediate repeat would fail again for want of room. */
const singlesResendMs = 1_000;
const resendsMax = 3;

/** An answer that fits into messages, or one whose body is in the bucket. */
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

/** An answer of one part, which is not acknowledged. */
interface Single {
  readonly message: ResponseMessage;
  readonly deadline: number;
  readonly resends: number;
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

/**
 * Sends the answers of one connection. Answers of several parts are resent until they are acknowledged: after 2 s, then
 * 4, 8, … until the request's deadline. Answers of one part are not acknowledged (`single_part_unacknowledged`).
 *
 * It ends with its connection: `reply_to` names that connection, and no other may answer in its place.
 */
export class ResponseSender {
  readonly #send: (message: ResponseMessage) => void;
  readonly #timing: Timing;
  #singles: Single[] = [];
  #isResending = false;
  #cancelSingles = (): void => {};
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
    const [first] = messages;
    if (first !== undefined && messages.length === 1) {
      this.#singles.push({ message: first, deadline, resends: 0 });
      if (this.#singles.length > singlesMax) this.#singles.shift();
      this.#send(first);
      return;
    }
    const waiting = {
      parts: new Map(messages.map((message) => [message.part, message])),
      cancel: () => {},
    };
    this.#unacknowledged.set(id, waiting);
    for (const message of messages) this.#send(message);
    this.#resendLater(id, waiting, firstResendMs, deadline);
  }

  /**
   * Resends the answers of one part, because the gateway does not say which frame failed. The service stores a part
   * once.
   */
  resendSingles(): void {
    if (this.#isResending) return;
    this.#isResending = true;
    this.#cancelSingles = this.#timing.after(singlesResendMs, () => {
      this.#isResending = false;
      const isDue = (single: Single) => this.#timing.now() < single.deadline && single.resends < resendsMax;
      this.#singles = this.#singles
        .filter(isDue)
        .map((single) => ({ ...single, resends: single.resends + 1 }));
      for (const { message } of this.#singles) this.#send(message);
    });
  }

  acknowledge(id: string, part: number): void {
    this.#singles = this.#singles.filter(({ message }) => message.id !== id);
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
    this.#cancelSingles();
    this.#singles = [];
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
