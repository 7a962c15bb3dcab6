import { createHash, createHmac } from "node:crypto";
import {
  type DriverMessage,
  type GoodbyeMessage,
  type HelloMessage,
  type ServiceMessage,
  tunnelMessageBytesMax,
  type WelcomeMessage,
} from "../../../shared/contract/tunnel.ts";
import { parseServiceFrame } from "../../../shared/contract/tunnel-frames.ts";
import type { DriverLog } from "../driver-log.ts";
import type { Timing } from "../timing.ts";
import { Heartbeat } from "./heartbeat.ts";
import { RequestAssembler, type WholeRequest } from "./request-assembler.ts";
import { ResponseSender, type WireResponse } from "./response-sender.ts";
import type { ServiceClock } from "./service-clock.ts";
import type { Dial, Socket } from "./socket.ts";
import { TransferRules } from "./transfer-rules.ts";

const helloAgainMs = 5_000;
const hellosAgainMax = 3;

export type ConnectionEnd =
  /** The handshake failed with another status than 101. */
  | { readonly kind: "refused"; readonly status: number; readonly retryAfterSeconds: number | undefined }
  /** The connection never opened, or was lost after it did. */
  | {
      readonly kind: "lost";
      readonly code: number;
      readonly detail: string;
      readonly isSilent: boolean;
    };

export interface ConnectionListener {
  onWelcome(connection: Connection, welcome: WelcomeMessage): void;
  onRequest(connection: Connection, request: WholeRequest): void;
  onGoodbye(connection: Connection, goodbye: GoodbyeMessage): void;
  onEnd(connection: Connection, end: ConnectionEnd): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hello: HelloMessage;
  readonly dial: Dial;
  readonly timing: Timing;
  readonly clock: ServiceClock;
  readonly log: DriverLog;
  readonly keepSecret: ((secret: string, url: string) => Promise<void>) | undefined;
  readonly listener: ConnectionListener;
}

/** The service has only the secret's digest, which is the key of this proof that the secret was kept. */
function secretProof(secret: string, connectionId: string): string {
  const digest = createHash("sha256").update(secret).digest();
  return createHmac("sha256", digest).update(connectionId).digest("base64url");
}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #assembler = new RequestAssembler();
  readonly #responses: ResponseSender;
  #heartbeat: Heartbeat | undefined;
  #cancelHello = (): void => {};
  #refusal: ConnectionEnd | undefined;
  #openedAt: number | undefined;
  #transferRules = new TransferRules(undefined);
  #isWelcome = false;
  #secretProof: string | undefined;
  #keeping = Promise.resolve();
  #isEnded = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#responses = new ResponseSender((message) => this.#send(message), options.timing);
    this.#socket = options.dial(options.url, options.headers, {
      onOpen: (serverTimeMs, serverAddress) => {
        this.#transferRules = new TransferRules(serverAddress);
        this.#open(serverTimeMs);
      },
      onText: (text) => this.#read(text),
      onRefused: (status, retryAfterSeconds) => {
        this.#refusal = { kind: "refused", status, retryAfterSeconds };
      },
      onClosed: (code, detail) => {
        const isSilent = !this.hasOpened;
        this.#end(this.#refusal ?? { kind: "lost", code, detail, isSilent });
      },
    });
  }

  get url(): string {
    return this.#options.url;
  }

  get hasOpened(): boolean {
    return this.#openedAt !== undefined;
  }

  get isBusy(): boolean {
    return this.#assembler.waits || this.#responses.waits;
  }

  get transferRules(): TransferRules {
    return this.#transferRules;
  }

  get livedMs(): number {
    return this.#openedAt === undefined ? 0 : this.#options.timing.now() - this.#openedAt;
  }

  answer(request: WholeRequest, deadline: number, answer: WireResponse): void {
    if (!this.#isEnded) this.#responses.answer(request.id, request.replyTo, deadline, answer);
  }

  close(): void {
    this.#socket.close(1000);
  }

  #open(serverTimeMs: number | undefined): void {
    const { timing, clock } = this.#options;
    this.#openedAt = timing.now();
    if (serverTimeMs !== undefined) clock.seeHandshake(serverTimeMs, this.#openedAt);
    this.#greet(hellosAgainMax);
  }

  #greet(moreHellos: number): void {
    this.#send(this.#options.hello);
    this.#cancelHello = this.#options.timing.after(helloAgainMs, () => {
      if (moreHellos > 0) this.#greet(moreHellos - 1);
      else this.#giveUp("no welcome came");
    });
  }

  #giveUp(reason: string): void {
    this.#options.log("warn", "connection given up", { reason });
    this.#socket.terminate();
    this.#end({ kind: "lost", code: 1006, detail: reason, isSilent: true });
  }

  #end(end: ConnectionEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#cancelHello();
    this.#heartbeat?.stop();
    this.#responses.stop();
    this.#options.listener.onEnd(this, end);
  }

  #read(text: string): void {
    if (this.#isEnded) return;
    this.#heartbeat?.sign();
    const frame = parseServiceFrame(text);
    switch (frame.kind) {
      case "message":
        this.#receive(frame.message);
        return;
      case "untyped":
        this.#options.log("warn", "the gateway reports a frame that failed", { bytes: text.length });
        this.#responses.resendSingles();
        return;
      case "unknown_type":
        this.#complain("unknown_type", `no message has the type ${frame.type.slice(0, 64)}`, undefined);
        return;
      case "malformed":
        this.#complain("malformed", `${frame.type}: ${frame.problem}`.slice(0, 512), frame.id);
        return;
    }
  }

  #complain(code: string, message: string, id: string | undefined): void {
    this.#options.log("warn", "message not understood", { code, problem: message });
    this.#send({ type: "error", code, message, ...(id === undefined ? {} : { id }) });
  }

  #receive(message: ServiceMessage): void {
    const { listener, timing, clock, log } = this.#options;
    switch (message.type) {
      case "welcome":
        this.#welcome(message);
        return;
      case "request": {
        const whole = this.#assembler.add(message, timing.now() + clock.aheadMs);
        if (whole !== undefined) listener.onRequest(this, whole);
        return;
      }
      case "received":
        this.#responses.acknowledge(message.id, message.part);
        return;
      case "pong": {
        const sentAt = this.#heartbeat?.takePingSentAt();
        if (sentAt !== undefined) clock.seePong(message.at, sentAt, timing.now());
        return;
      }
      case "goodbye":
        listener.onGoodbye(this, message);
        return;
      case "error":
        log("warn", "the service reports an error", { code: message.code, detail: message.message });
        return;
    }
  }

  #welcome(welcome: WelcomeMessage): void {
    const { machine_secret: secret, connection_id: connectionId } = welcome;
    const { keepSecret, url } = this.#options;
    const isNew = keepSecret !== undefined && secret !== undefined && connectionId !== undefined;
    // Every welcome has a secret; the last one counts.
    if (isNew) {
      this.#keeping = this.#keeping.then(() => this.#keep(keepSecret(secret, url), secret, connectionId));
    }
    if (this.#isWelcome) return;
    this.#isWelcome = true;
    this.#transferRules.pin(welcome.transfer_hosts);
    this.#cancelHello();
    this.#heartbeat = new Heartbeat({
      timing: this.#options.timing,
      intervalMs: welcome.ping_seconds * 1_000,
      ping: (at) => this.#ping(at),
      dead: () => this.#giveUp("no sign of life"),
    });
    if (!isNew) this.#heartbeat.start();
    this.#options.listener.onWelcome(this, welcome);
  }

  /** The next ping tells the service that the secret was kept. */
  async #keep(kept: Promise<void>, secret: string, connectionId: string): Promise<void> {
    try {
      await kept;
      this.#secretProof = secretProof(secret, connectionId);
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      this.#options.log("error", "the machine's own secret cannot be kept", { reason });
    }
    if (!this.#isEnded) this.#heartbeat?.start();
  }

  #ping(at: number): void {
    const proof = this.#secretProof;
    this.#send({ type: "ping", at, ...(proof === undefined ? {} : { secret_proof: proof }) });
  }

  #send(message: DriverMessage): void {
    const text = JSON.stringify(message);
    if (Buffer.byteLength(text) > tunnelMessageBytesMax) {
      this.#options.log("error", "message too long, not sent", { type: message.type });
      return;
    }
    this.#socket.send(text);
  }
}
