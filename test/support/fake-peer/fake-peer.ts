import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import type { RequestMessage, ServiceMessage } from "../../../shared/contract/tunnel.ts";
import { parseServiceFrame, splitBody } from "../../../shared/contract/tunnel-frames.ts";

export interface PeerOptions {
  readonly url: string;
  /** The whole header: `Bearer …` or `Ticket …`; absent: no credentials. */
  readonly authorization?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Dialled =
  | { readonly kind: "open"; readonly peer: FakePeer }
  | { readonly kind: "refused"; readonly status: number };

type Answer = (request: RequestMessage) => void;

export class FakePeer {
  readonly fingerprint: string;
  readonly messages: ServiceMessage[] = [];
  /** Frames that are no message of the protocol: the gateway's own, or a fault. */
  readonly strangeFrames: string[] = [];
  readonly requests: RequestMessage[] = [];
  readonly #socket: WebSocket;
  #answer: Answer = (request) => this.answer(request);

  private constructor(socket: WebSocket, fingerprint: string) {
    this.#socket = socket;
    this.fingerprint = fingerprint;
    socket.on("message", (data, isBinary) => {
      if (!isBinary) this.#receive(data.toString());
    });
    socket.on("error", () => socket.terminate());
  }

  static async dial(options: PeerOptions): Promise<Dialled> {
    const fingerprint = options.fingerprint ?? randomUUID();
    const socket = new WebSocket(options.url, {
      headers: {
        ...(options.authorization !== undefined && { authorization: options.authorization }),
        "x-machine-fingerprint": fingerprint,
        ...options.headers,
      },
      perMessageDeflate: false,
      handshakeTimeout: 120_000,
    });
    const peer = new FakePeer(socket, fingerprint);
    return await new Promise((resolve, reject) => {
      socket.once("open", () => resolve({ kind: "open", peer }));
      socket.once("unexpected-response", (_request, response) => {
        response.resume();
        socket.terminate();
        resolve({ kind: "refused", status: response.statusCode ?? 0 });
      });
      socket.once("error", reject);
    });
  }

  /** Dials and says hello. @throws {Error} when it is not let in. */
  static async connect(options: PeerOptions): Promise<FakePeer> {
    const dialled = await FakePeer.dial(options);
    if (dialled.kind === "refused") throw new Error(`the handshake was answered ${dialled.status}`);
    await dialled.peer.sayHello();
    return dialled.peer;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  async sayHello(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    this.send({ type: "hello", protocol: 1, capabilities: [], hostname: "fake", ...fields });
    return (await this.next("welcome")).machine_id;
  }

  async next<Type extends ServiceMessage["type"]>(
    type: Type,
  ): Promise<Extract<ServiceMessage, { readonly type: Type }>> {
    const isOne = (message: ServiceMessage): message is Extract<ServiceMessage, { readonly type: Type }> =>
      message.type === type;
    for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 10) {
      const found = this.messages.find(isOne);
      if (found) return found;
      await pause(10);
    }
    throw new Error(`no ${type} came; there were ${this.messages.map((message) => message.type).join(", ")}`);
  }

  async closed(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.CLOSED) await once(this.#socket, "close");
  }

  async close(): Promise<void> {
    if (this.isOpen) this.#socket.close(1000);
    await this.closed();
  }

  /** Sets the handler of later requests, which are otherwise answered with `{}`. */
  onRequest(answer: Answer): void {
    this.#answer = answer;
  }

  answer(request: RequestMessage, body: Uint8Array = Buffer.from("{}"), status = 200): void {
    for (const response of responses(request, body, status)) this.send(response);
  }

  vanish(): void {
    this.onRequest(() => this.#socket.terminate());
  }

  stayMute(): void {
    this.onRequest(() => {});
  }

  #receive(text: string): void {
    const frame = parseServiceFrame(text);
    if (frame.kind !== "message") {
      this.strangeFrames.push(text);
      return;
    }
    this.messages.push(frame.message);
    if (frame.message.type !== "request") return;
    this.requests.push(frame.message);
    this.#answer(frame.message);
  }
}

function responses(request: RequestMessage, body: Uint8Array, status: number): readonly object[] {
  const parts = splitBody(body);
  return parts.map((bytes, part) => ({
    type: "response",
    id: request.id,
    reply_to: request.reply_to,
    status,
    ...(part === 0 && { headers: { "content-type": "application/json" } }),
    part,
    parts: parts.length,
    ...(bytes.byteLength > 0 && { body: Buffer.from(bytes).toString("base64") }),
  }));
}
