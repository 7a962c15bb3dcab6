import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { Dial, SocketEvents } from "../../../infra/driver/tunnel/socket.ts";
import {
  type DriverMessage,
  type GoodbyeMessage,
  type RequestMessage,
  type ServiceMessage,
  tunnelMessageBytesMax,
} from "../../../shared/contract/tunnel.ts";
import { parseDriverFrame, splitBody } from "../../../shared/contract/tunnel-frames.ts";
import { FakeBucket } from "./fake-bucket.ts";

export interface AskOptions {
  readonly id?: string;
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | object;
  readonly deadline?: number;
  readonly actionId?: string;
  readonly repeat?: boolean;
  readonly download?: RequestMessage["download"];
  readonly upload?: RequestMessage["upload"];
}

export interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly uploaded: boolean;
  json(): unknown;
}

interface Peer {
  send(text: string): void;
  close(code: number): void;
}

export interface Refusal {
  readonly status: number;
  readonly retryAfterSeconds?: number;
}

export class FakeConnection {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly messages: DriverMessage[] = [];
  /** Frames that no driver should send. */
  readonly oddities: string[] = [];
  closedWith: number | undefined;
  readonly #service: FakeService;
  readonly #peer: Peer;
  readonly #listeners = new Set<() => void>();

  constructor(service: FakeService, peer: Peer, headers: Readonly<Record<string, string | undefined>>) {
    this.#service = service;
    this.#peer = peer;
    this.headers = headers;
  }

  heard(text: string): void {
    if (Buffer.byteLength(text) > tunnelMessageBytesMax) this.oddities.push("message too long");
    const frame = parseDriverFrame(text);
    if (frame.kind !== "message") {
      this.oddities.push(text);
      return;
    }
    const { message } = frame;
    this.messages.push(message);
    if (message.type === "hello" && this.#service.welcomes) this.welcome();
    if (message.type === "ping" && this.#service.pongs) this.send({ type: "pong", at: this.#service.now() });
    if (message.type === "response" && this.#service.acknowledges) {
      this.send({ type: "received", id: message.id, part: message.part });
    }
    this.#changed();
  }

  closed(code: number): void {
    this.closedWith ??= code;
    this.#changed();
  }

  of<Type extends DriverMessage["type"]>(type: Type): Extract<DriverMessage, { type: Type }>[] {
    return this.messages.filter(
      (message): message is Extract<DriverMessage, { type: Type }> => message.type === type,
    );
  }

  send(message: ServiceMessage): void {
    this.sendRaw(JSON.stringify(message));
  }

  sendRaw(text: string): void {
    this.#peer.send(text);
  }

  welcome(): void {
    this.send({
      type: "welcome",
      protocol: 1,
      machine_id: "0198c1de-0000-7000-8000-00000000000a",
      organization_id: "org-1",
      ...(this.#service.machineSecret === undefined || this.headers["x-machine-secret"] !== undefined
        ? {}
        : { machine_secret: this.#service.machineSecret, connection_id: "c-1" }),
      transfer_hosts: [...(this.#service.transferHosts ?? FakeBucket.hosts)],
      ping_seconds: this.#service.pingSeconds,
      message_bytes_max: tunnelMessageBytesMax,
    });
  }

  goodbye(code: GoodbyeMessage["code"], retryAfterSeconds: number | null = null): void {
    this.send({ type: "goodbye", code, retry_after_seconds: retryAfterSeconds });
  }

  vanish(code = 1001): void {
    this.#peer.close(code);
  }

  requestParts(options: AskOptions): RequestMessage[] {
    const { body = new Uint8Array(), download, upload } = options;
    const isJson = !(body instanceof Uint8Array);
    const parts = splitBody(isJson ? Buffer.from(JSON.stringify(body)) : body);
    const id = options.id ?? randomUUID();
    return parts.map((bytes, part) => ({
      type: "request",
      id,
      reply_to: `reply-to-${id}`,
      method: options.method ?? "POST",
      path: options.path,
      query: options.query ?? "",
      ...(part === 0
        ? { headers: { ...(isJson ? { "Content-Type": "application/json" } : {}), ...options.headers } }
        : {}),
      deadline: options.deadline ?? this.#service.now() + 25_000,
      action_id: options.actionId ?? id,
      repeat: options.repeat ?? false,
      part,
      parts: parts.length,
      ...(bytes.byteLength > 0 ? { body: Buffer.from(bytes).toString("base64") } : {}),
      ...(part === 0 && download !== undefined ? { download } : {}),
      ...(part === 0 && upload !== undefined ? { upload } : {}),
    }));
  }

  async ask(options: AskOptions): Promise<FakeAnswer> {
    const parts = this.requestParts(options);
    for (const part of parts) this.send(part);
    return await this.answerTo(parts[0]?.id ?? "");
  }

  async answerTo(id: string): Promise<FakeAnswer> {
    await this.until(() => this.#partsOf(id).size === (this.#partsOf(id).get(0)?.parts ?? Number.NaN));
    const parts = this.#partsOf(id);
    const first = parts.get(0);
    const texts = Array.from(parts.keys(), (_, part) => parts.get(part)?.body ?? "");
    const body = Buffer.concat(texts.map((text) => Buffer.from(text, "base64")));
    return {
      status: first?.status ?? 0,
      headers: first?.headers ?? {},
      body,
      uploaded: first?.uploaded === true,
      json: () => JSON.parse(body.toString()),
    };
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.closedWith !== undefined) throw new Error(`the connection closed with ${this.closedWith}`);
      await this.#nextChange();
    }
  }

  async untilClosed(): Promise<number> {
    while (this.closedWith === undefined) await this.#nextChange();
    return this.closedWith;
  }

  #partsOf(id: string) {
    const responses = this.of("response").filter((response) => response.id === id);
    return new Map(responses.map((response) => [response.part, response]));
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const once = () => {
        this.#listeners.delete(once);
        resolve();
      };
      this.#listeners.add(once);
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/**
 * The service's side of the tunnel, as far as a driver can tell.
 *
 * Its methods and fields control it, over real sockets (`listen`) or in memory (`dial`).
 */
export class FakeService {
  readonly connections: FakeConnection[] = [];
  readonly refusals: Refusal[] = [];
  isSilent = false;
  handshakes = 0;
  welcomes = true;
  pongs = true;
  acknowledges = true;
  /** Named in the welcome. */
  pingSeconds = 300;
  holdsHandshakes = false;
  dateHeader: number | undefined;
  address = "127.0.0.1";
  /** The secret issued in the welcome, with the connection id `c-1`, to a driver that shows none. */
  machineSecret: string | undefined;
  /** Named in the welcome. @default those of the open buckets */
  transferHosts: readonly string[] | undefined;
  readonly now: () => number;
  readonly #held: (() => void)[] = [];
  /** The addresses of the handshakes of `dial`. */
  readonly dialled: string[] = [];
  #server: WebSocketServer | undefined;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  get latest(): FakeConnection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error("nobody has connected");
    return connection;
  }

  #accept(peer: Peer, headers: Readonly<Record<string, string | undefined>>): FakeConnection {
    const connection = new FakeConnection(this, peer, headers);
    this.connections.push(connection);
    return connection;
  }

  letIn(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  readonly dial: Dial = (url, headers, events: SocketEvents) => {
    this.handshakes += 1;
    this.dialled.push(url);
    const refusal = this.refusals.shift();
    let isClosed = false;
    const close = (code: number) => {
      if (isClosed) return;
      isClosed = true;
      queueMicrotask(() => {
        connection?.closed(code);
        events.onClosed(code, "");
      });
    };
    let connection: FakeConnection | undefined;
    const answer = () => {
      if (isClosed) return;
      if (this.isSilent) return close(1006);
      if (refusal !== undefined) {
        events.onRefused(refusal.status, refusal.retryAfterSeconds);
        close(1006);
        return;
      }
      const send = (text: string) => queueMicrotask(() => isClosed || events.onText(text));
      connection = this.#accept({ send, close }, headers);
      events.onOpen(this.dateHeader, this.address);
    };
    if (this.holdsHandshakes) this.#held.push(answer);
    else queueMicrotask(answer);
    return {
      send: (text) => queueMicrotask(() => isClosed || connection?.heard(text)),
      close,
      terminate: () => close(1006),
    };
  };

  /** @returns the address of a real server on this machine; `close` ends it. */
  async listen(): Promise<string> {
    const server = new WebSocketServer({
      host: "127.0.0.1",
      port: 0,
      verifyClient: (_info, decide) => {
        this.handshakes += 1;
        const refusal = this.refusals.shift();
        if (refusal === undefined) {
          decide(true);
          return;
        }
        const { status, retryAfterSeconds } = refusal;
        const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
        decide(false, status, "", headers);
      },
    });
    server.on("connection", (socket: WebSocket, request) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
      );
      const connection = this.#accept(
        { send: (text) => socket.send(text), close: (code) => socket.close(code) },
        headers,
      );
      socket.on("message", (data, isBinary) => {
        if (isBinary) connection.oddities.push("binary frame");
        else connection.heard(data.toString());
      });
      socket.on("close", (code) => connection.closed(code));
    });
    this.#server = server;
    await new Promise((resolve) => server.once("listening", resolve));
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/stage`;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
}
