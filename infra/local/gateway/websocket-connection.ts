import type { RawData, WebSocket } from "ws";
import { messageBytesMax, type PostOutcome } from "../aws/execute-api/connections-service.ts";
import { FrameMeter, type FrameViolation, frameBytesMax } from "./frame-meter.ts";
import type { Closing, ConnectionFacts } from "./websocket-event.ts";

export interface ConnectionLimits {
  /** Protocol pings do not count. */
  readonly idleMs: number;
  readonly lifeMs: number;
}

export interface ConnectionHandlers {
  /** Resolves when the message is handled. Never rejects. */
  readonly onMessage: (text: string) => Promise<void>;
  readonly onClose: (closing: Closing) => void;
}

/** So that a flood waits in its own socket, and not before the messages of other connections. */
const inFlightMax = 4;

const goingAway: Closing = { code: 1001, reason: "Going away" };

const refusals: Readonly<Record<FrameViolation, Closing>> = {
  binary: { code: 1003, reason: "Binary frames are not supported" },
  frame_too_large: { code: 1009, reason: `A frame may carry at most ${frameBytesMax} bytes` },
  message_too_large: { code: 1009, reason: `A message may carry at most ${messageBytesMax} bytes` },
};

export class WebSocketConnection {
  readonly facts: ConnectionFacts;
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #socket: WebSocket;
  readonly #limits: ConnectionLimits;
  readonly #handlers: ConnectionHandlers;
  readonly #lifeTimer: NodeJS.Timeout;
  #idleTimer: NodeJS.Timeout;
  #lastActiveAtMs = Date.now();
  readonly #waiting: string[] = [];
  #inFlight = 0;
  #closing: Closing | undefined;

  constructor(
    facts: ConnectionFacts,
    socket: WebSocket,
    limits: ConnectionLimits,
    handlers: ConnectionHandlers,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.facts = facts;
    this.#socket = socket;
    this.#limits = limits;
    this.#handlers = handlers;
    this.#lifeTimer = setTimeout(() => this.close(goingAway), limits.lifeMs);
    this.#idleTimer = setTimeout(() => this.#closeWhenIdle(), limits.idleMs);
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("close", (code, reason) => this.#closed(code, reason.toString()));
    // After a protocol error ws closes the connection by itself, and "close" follows.
    socket.on("error", () => undefined);
  }

  get isOpen(): boolean {
    return this.#closing === undefined && this.#socket.readyState === this.#socket.OPEN;
  }

  get lastActiveAtMs(): number {
    return this.#lastActiveAtMs;
  }

  /** The listener must get the socket's raw bytes before ws does. */
  createMeter(): (chunk: Buffer) => void {
    const meter = new FrameMeter();
    let isDone = false;
    return (chunk) => {
      if (isDone) return;
      const violation = meter.push(chunk);
      if (violation === undefined) return;
      isDone = true;
      this.close(refusals[violation]);
    };
  }

  post(data: Uint8Array): PostOutcome {
    if (!this.isOpen) return "gone";
    if (data.byteLength > messageBytesMax) return "too_large";
    this.#active();
    // Invalid UTF-8 in a text frame would make the client close.
    const bytes = Buffer.from(Buffer.from(data).toString("utf8"));
    for (let offset = 0; offset === 0 || offset < bytes.length; offset += frameBytesMax) {
      const isLast = offset + frameBytesMax >= bytes.length;
      this.#socket.send(bytes.subarray(offset, offset + frameBytesMax), { binary: false, fin: isLast });
    }
    return "ok";
  }

  /** With `isAtOnce`, the client's part of the closing handshake is not awaited. */
  close(closing: Closing = goingAway, isAtOnce = false): void {
    if (this.#closing === undefined) {
      this.#closing = closing;
      this.#socket.close(closing.code, closing.reason);
      this.#waiting.length = 0;
      // The client's part of the closing handshake has to be read.
      this.#socket.resume();
    }
    if (isAtOnce) this.#socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    // A frame that was read together with a refused one is dropped.
    if (this.#closing !== undefined || isBinary) return;
    this.#active();
    this.#waiting.push(textOf(data));
    this.#handOn();
  }

  #handOn(): void {
    while (this.#inFlight < inFlightMax) {
      const text = this.#waiting.shift();
      if (text === undefined) break;
      this.#inFlight += 1;
      void this.#handlers.onMessage(text).finally(() => {
        this.#inFlight -= 1;
        this.#handOn();
      });
    }
    if (this.#waiting.length > 0) this.#socket.pause();
    else this.#socket.resume();
  }

  #active(): void {
    this.#lastActiveAtMs = Date.now();
  }

  #closeWhenIdle(): void {
    const leftMs = this.#lastActiveAtMs + this.#limits.idleMs - Date.now();
    if (leftMs <= 0) this.close(goingAway);
    else this.#idleTimer = setTimeout(() => this.#closeWhenIdle(), leftMs);
  }

  #closed(code: number, reason: string): void {
    clearTimeout(this.#lifeTimer);
    clearTimeout(this.#idleTimer);
    this.#handlers.onClose(this.#closing ?? { code, reason: reason === "" ? silentReason(code) : reason });
    this.#end();
  }
}

function silentReason(code: number): string {
  if (code === 1005) return "Client-side close frame status not set";
  if (code === 1001) return "Going away";
  if (code === 1006) return "Connection closed abnormally";
  return "";
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString("utf8");
}
