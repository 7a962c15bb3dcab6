import {
  type GoodbyeMessage,
  type HelloMessage,
  TunnelHeader,
  type WelcomeMessage,
} from "../../../shared/contract/tunnel.ts";
import type { DismissalReason } from "../../../shared/vocabulary/machines.ts";
import type { DriverLog } from "../driver-log.ts";
import type { Timing } from "../timing.ts";
import { Connection, type ConnectionEnd, type ConnectionListener } from "./connection.ts";
import { type FirstRefusalEnd, FirstRefusals } from "./first-refusals.ts";
import type { WholeRequest } from "./request-assembler.ts";
import type { ServiceAddress } from "./service-address.ts";
import type { ServiceClock } from "./service-clock.ts";
import type { Dial } from "./socket.ts";

/** Messages may still arrive on a replaced connection. */
const retiredMs = 30_000;
const busyCheckMs = 1_000;

export type TunnelEnd = Exclude<DismissalReason, "moved"> | "ticket_used" | FirstRefusalEnd;

const refusals: Readonly<Record<number, string>> = {
  400: "the service does not accept the fingerprint or another header of this driver",
  401: "the service does not accept the key",
  403: "the key may not open tunnels, or the machine is bound to another key",
  409: "the machine to keep alive is this one, unknown, or another organization's",
  428: "the machine has a secret of its own that this driver does not know: an operator resets it",
};

export interface TunnelKeeperOptions {
  readonly address: ServiceAddress;
  readonly headers: (url: string) => Promise<Readonly<Record<string, string>>>;
  /** A credential that is valid for one connection never reconnects. */
  readonly isSingleUse: boolean;
  readonly hello: HelloMessage;
  readonly dial: Dial;
  readonly timing: Timing;
  readonly random: () => number;
  readonly clock: ServiceClock;
  readonly log: DriverLog;
  readonly isWorking: () => boolean;
  readonly keepSecret: ((secret: string, url: string) => Promise<void>) | undefined;
  readonly onConnected: (welcome: WelcomeMessage) => void;
  readonly onDisconnected: () => void;
  readonly onRequest: (connection: Connection, request: WholeRequest) => void;
  readonly onEnd: (end: TunnelEnd) => void;
}

export class TunnelKeeper implements ConnectionListener {
  readonly #options: TunnelKeeperOptions;
  #current: Connection | undefined;
  #next: Connection | undefined;
  #isPreparing = false;
  /** The service may have accepted an attempt that failed here, which supersedes the current connection. */
  #hasTriedSinceWelcome = false;
  #failures = 0;
  readonly #firstRefusals = new FirstRefusals();
  #cancelDial = (): void => {};
  #cancelReplacement = (): void => {};
  readonly #retired = new Map<Connection, () => void>();
  #isEnded = false;

  constructor(options: TunnelKeeperOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#dial();
  }

  stop(): void {
    this.#isEnded = true;
    this.#cancelDial();
    this.#cancelReplacement();
    for (const cancel of this.#retired.values()) cancel();
    for (const connection of [...this.#retired.keys(), this.#current, this.#next]) connection?.close();
  }

  get isConnected(): boolean {
    return this.#current !== undefined;
  }

  onWelcome(connection: Connection, welcome: WelcomeMessage): void {
    if (connection !== this.#next) return;
    const replaced = this.#current;
    this.#current = connection;
    this.#next = undefined;
    this.#hasTriedSinceWelcome = false;
    this.#firstRefusals.noteWelcome();
    if (replaced !== undefined) this.#retire(replaced, retiredMs);
    if (!this.#options.isSingleUse) this.#replaceAfter(replacementDelayMs(this.#options.random));
    this.#options.log("info", "connected", {
      machine_id: welcome.machine_id,
      organization_id: welcome.organization_id,
      ping_seconds: welcome.ping_seconds,
      clock_ahead_ms: Math.round(this.#options.clock.aheadMs),
    });
    this.#options.onConnected(welcome);
    void this.#keepAddress(connection.url);
    // The service said that it has moved while this connection was being opened.
    if (this.#options.address.next !== connection.url) this.#replaceAfter(0);
  }

  onRequest(connection: Connection, request: WholeRequest): void {
    if (!this.#isEnded) this.#options.onRequest(connection, request);
  }

  onGoodbye(connection: Connection, goodbye: GoodbyeMessage): void {
    const { code, retry_after_seconds: seconds } = goodbye;
    const newest = this.#next?.hasOpened === true ? this.#next : this.#current;
    const fields = { code, retry_after_seconds: seconds };
    if (connection !== newest || this.#isEnded) {
      this.#options.log("info", "goodbye on an older connection ignored", fields);
      return;
    }
    this.#options.log("warn", "the service says goodbye", fields);
    this.#forget(connection);
    connection.close();
    if (code === "superseded" && this.#isDialing) return;
    if (code === "superseded" && this.#hasTriedSinceWelcome) {
      this.#dialAfter(reconnectDelayMs(this.#failures, this.#options.random));
    } else if (code === "moved") this.#moveTo(goodbye.address);
    else if (seconds === null) this.#endFor(code);
    else this.#dialAfter(seconds * 1_000 * (1 + 0.1 * this.#options.random()));
  }

  onEnd(connection: Connection, end: ConnectionEnd): void {
    this.#retired.get(connection)?.();
    this.#retired.delete(connection);
    const goesBack = this.#options.address.failedAt(connection.url);
    if (this.#isEnded || !this.#forget(connection)) return;
    const isSpent =
      connection.hasOpened || (end.kind === "refused" && end.status !== 429 && end.status < 500);
    if (this.#options.isSingleUse && isSpent) {
      this.#endFor("ticket_used");
      return;
    }
    // A connection that breaks while its successor is being opened needs no further attempt.
    if (this.#isDialing) return;
    if (connection.livedMs >= stableConnectionMs) this.#failures = 0;
    const { log, timing, random } = this.#options;
    const first =
      end.kind === "refused" ? this.#firstRefusals.judge(end.status, timing.now(), random) : undefined;
    const delayMs = first?.kind === "retry" ? first.delayMs : this.#delayAfter(end, goesBack);
    this.#failures += 1;
    log("warn", end.kind === "refused" ? "connection refused" : "connection lost", {
      ...(end.kind === "refused"
        ? { status: end.status, meaning: refusals[end.status] }
        : { code: end.code, detail: end.detail }),
      ...(first?.kind !== "end" && this.#retryFields(delayMs)),
    });
    if (first?.kind === "end") {
      this.#endFor(first.end);
      return;
    }
    if (this.#current === undefined) this.#dialAfter(delayMs);
    else this.#replaceAfter(delayMs);
  }

  #moveTo(address: string | undefined): void {
    const { log, random } = this.#options;
    const fields = { address };
    if (this.#options.address.follow(address)) log("info", "the service has moved", fields);
    else log("error", "the service has moved to a host that --allow-host does not name", fields);
    if (!this.#isDialing) this.#dialAfter(reconnectDelayMs(this.#failures, random));
  }

  async #keepAddress(address: string): Promise<void> {
    try {
      await this.#options.address.welcomedAt(address);
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      this.#options.log("warn", "the service's new address cannot be kept", { reason });
    }
  }

  get #isDialing(): boolean {
    return this.#next !== undefined || this.#isPreparing;
  }

  #delayAfter(end: ConnectionEnd, goesBack: boolean): number {
    const { random } = this.#options;
    if (goesBack) return reconnectDelayMs(this.#failures, random);
    if (end.kind === "refused" && end.status in refusals) return slowRetryDelayMs(random);
    const isPatient = end.kind === "lost" ? end.isSilent : end.status === 429;
    if (!isPatient) return reconnectDelayMs(this.#failures, random);
    const afterMs = end.kind === "refused" ? (end.retryAfterSeconds ?? 0) * 1_000 : 0;
    return afterMs + patientDelayMs(this.#failures, random);
  }

  #retryFields(delayMs: number) {
    const at = new Date(this.#options.timing.now() + delayMs);
    return { retry_in_ms: Math.round(delayMs), retry_at: at.toISOString() };
  }

  /** @returns whether the connection was the current or the next one. */
  #forget(connection: Connection): boolean {
    if (connection === this.#next) this.#next = undefined;
    else if (connection === this.#current) {
      this.#current = undefined;
      this.#cancelReplacement();
      this.#options.onDisconnected();
    } else return false;
    return true;
  }

  #retire(connection: Connection, delayMs: number): void {
    const cancel = this.#options.timing.after(delayMs, () => {
      if (connection.isBusy) this.#retire(connection, busyCheckMs);
      else connection.close();
    });
    this.#retired.set(connection, cancel);
  }

  #replaceAfter(delayMs: number): void {
    this.#cancelReplacement();
    this.#cancelReplacement = this.#options.timing.after(delayMs, () => {
      if (this.#isDialing) return;
      if (this.#current?.isBusy === true || this.#options.isWorking()) this.#replaceAfter(busyCheckMs);
      else void this.#dial();
    });
  }

  #dialAfter(delayMs: number): void {
    this.#cancelDial();
    this.#cancelDial = this.#options.timing.after(delayMs, () => void this.#dial());
  }

  async #dial(): Promise<void> {
    if (this.#isEnded || this.#isDialing) return;
    const { address, hello, dial, timing, clock, log, keepSecret } = this.#options;
    this.#isPreparing = true;
    this.#hasTriedSinceWelcome = true;
    try {
      const url = address.next;
      const headers = await this.#options.headers(url);
      if (this.#isEnded) return;
      // Only a welcome gives a machine its secret.
      if (TunnelHeader.machineSecret in headers) this.#firstRefusals.noteWelcome();
      this.#next = new Connection({
        url,
        headers,
        hello,
        dial,
        timing,
        clock,
        log,
        keepSecret,
        listener: this,
      });
    } catch (error) {
      const delayMs = reconnectDelayMs(this.#failures, this.#options.random);
      this.#failures += 1;
      const reason = error instanceof Error ? error.message : "unknown";
      log("warn", "no credential to connect with", { reason, ...this.#retryFields(delayMs) });
      if (this.#current === undefined) this.#dialAfter(delayMs);
      else this.#replaceAfter(delayMs);
    } finally {
      this.#isPreparing = false;
    }
  }

  #endFor(end: TunnelEnd): void {
    if (this.#isEnded) return;
    this.stop();
    this.#options.onEnd(end);
  }
}

const backoffMs = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
const backoffLongestMs = 16_000;
const minuteMs = 60_000;

/** A connection that lived this long resets the backoff. */
const stableConnectionMs = 10_000;

/** The jitter keeps a fleet that lost the service at the same time from returning at the same time. */
function reconnectDelayMs(failures: number, random: () => number): number {
  return (backoffMs[failures] ?? backoffLongestMs) * (0.7 + 0.6 * random());
}

const patientFirstMs = 15_000;
const patientLongestMs = 5 * minuteMs;

/** Source: https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/ */
function patientDelayMs(failures: number, random: () => number): number {
  return Math.min(patientFirstMs * 2 ** failures, patientLongestMs) * random();
}

/** Before this delay only a person can resolve the refusal. */
function slowRetryDelayMs(random: () => number): number {
  return (15 + 45 * random()) * minuteMs;
}

/** The gateway closes every connection after 2 hours. */
function replacementDelayMs(random: () => number): number {
  return (90 + 25 * random()) * minuteMs;
}
