import { hostname as systemHostname } from "node:os";
import { machineSecretCapability, TunnelHeader, tunnelProtocol } from "../../shared/contract/tunnel.ts";
import type { DriverCapability } from "../../shared/vocabulary/drivers.ts";
import type { Desktop } from "./desktop.ts";
import { type DriverLog, silentLog } from "./driver-log.ts";
import type { MachineSecretStore } from "./secret-files.ts";
import { Shutdown, shutdownPath } from "./shutdown.ts";
import { systemTiming, type Timing } from "./timing.ts";
import type { Connection } from "./tunnel/connection.ts";
import type { WholeRequest } from "./tunnel/request-assembler.ts";
import { RequestWorker } from "./tunnel/request-worker.ts";
import { ServiceAddress, type ServiceAddressOptions } from "./tunnel/service-address.ts";
import { ServiceClock } from "./tunnel/service-clock.ts";
import { type Dial, dialWebSocket } from "./tunnel/socket.ts";
import { type TunnelEnd, TunnelKeeper } from "./tunnel/tunnel-keeper.ts";

const driverVersion = "1.0.0";

const moved: DriverCapability = "moved";

const shutdownGraceMs = 250;
const stopGraceMs = 2_000;
const stopCheckMs = 20;

export interface DriverOptions {
  readonly url: string;
  /** The hosts that a goodbye `moved` may lead to, and what keeps the address then. @default none */
  readonly moves?: Pick<ServiceAddressOptions, "allowedHosts" | "keep">;
  /** A ticket is valid for one connection; a function is called before every attempt. */
  readonly authorization: string | (() => Promise<string>);
  readonly fingerprint: string;
  readonly secrets?: MachineSecretStore;
  readonly desktop: Desktop;
  /** Printable ASCII of at most 255 characters, like the next four fields. @default driverVersion */
  readonly version?: string;
  /** @default the system's */
  readonly hostname?: string;
  readonly name?: string;
  readonly remotePeerId?: string;
  readonly keepaliveFor?: string;
  readonly log?: DriverLog;
  /** @default process.pid */
  readonly pid?: number;
  readonly timing?: Timing;
  readonly random?: () => number;
  readonly dial?: Dial;
}

export type DriverEnd = "stopped" | "shutdown" | TunnelEnd;

interface Connected {
  readonly machineId: string;
  readonly organizationId: string;
}

export interface Driver {
  start(): void;
  /** Gives requests under way 2 s, closes with 1000 and releases held keys and buttons. */
  stop(): Promise<void>;
  /** Resolves with the latest welcome, or the first one to come; never settles when none comes. */
  connected(): Promise<Connected>;
  readonly isConnected: boolean;
  readonly finished: Promise<DriverEnd>;
}

/** Header values are printable ASCII; a host's own name may be anything. */
function printable(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 255);
}

function optionalHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value ? [[name, printable(value)]] : [])),
  );
}

export function createDriver(options: DriverOptions): Driver {
  const { desktop, authorization, secrets, timing = systemTiming, log = silentLog } = options;
  const { version = driverVersion, hostname = systemHostname(), random = Math.random } = options;
  const { allowedHosts = [] } = options.moves ?? {};
  const isSingleUse = typeof authorization === "string" && authorization.startsWith("Ticket ");
  const shutdown = new Shutdown(options.pid ?? process.pid);
  const worker = new RequestWorker({ desktop, shutdown, timing, log });
  const held = new HeldInput({ desktop, timing, log });
  const clock = new ServiceClock();
  const finished = Promise.withResolvers<DriverEnd>();
  let connected = Promise.withResolvers<Connected>();
  let isWelcome = false;
  let isStopping = false;

  async function end(reason: DriverEnd): Promise<void> {
    isStopping = true;
    keeper.stop();
    worker.stop();
    await held.release();
    finished.resolve(reason);
  }

  async function work(connection: Connection, request: WholeRequest): Promise<void> {
    if (isStopping) return;
    const deadline = clock.toLocal(request.deadline);
    const answer = await worker.work(request, deadline, connection.transferRules);
    if (answer !== undefined) connection.answer(request, deadline, answer);
    if (request.path === shutdownPath && shutdown.isRequested) {
      timing.after(shutdownGraceMs, () => void end("shutdown"));
    }
  }

  const keeper = new TunnelKeeper({
    address: new ServiceAddress({ url: options.url, allowedHosts, ...options.moves }),
    headers: async (url) => ({
      [TunnelHeader.authorization]: typeof authorization === "string" ? authorization : await authorization(),
      [TunnelHeader.fingerprint]: options.fingerprint,
      ...optionalHeaders({
        [TunnelHeader.machineSecret]: await secrets?.read(url),
        [TunnelHeader.driverVersion]: version,
        [TunnelHeader.hostname]: hostname,
        [TunnelHeader.name]: options.name,
        [TunnelHeader.remotePeerId]: options.remotePeerId,
        [TunnelHeader.keepaliveFor]: options.keepaliveFor,
      }),
    }),
    isSingleUse,
    hello: {
      type: "hello",
      protocol: tunnelProtocol,
      hostname: hostname.slice(0, 255),
      os_info: desktop.osInfo.slice(0, 1_024),
      version: version.slice(0, 255),
      capabilities: [
        ...desktop.capabilities,
        ...(secrets === undefined ? [] : [machineSecretCapability]),
        // A ticket is good for one service only.
        ...(allowedHosts.length > 0 && !isSingleUse ? [moved] : []),
        shutdownPath,
      ],
      ...(desktop.programs.length > 0 && { programs: [...desktop.programs] }),
    },
    dial: options.dial ?? dialWebSocket,
    timing,
    random,
    clock,
    log,
    isWorking: () => worker.inFlight > 0,
    keepSecret: secrets && ((secret, url) => secrets.write(secret, url)),
    onConnected: (welcome) => {
      held.onConnected();
      const value = { machineId: welcome.machine_id, organizationId: welcome.organization_id };
      if (isWelcome) connected = Promise.withResolvers<Connected>();
      isWelcome = true;
      connected.resolve(value);
    },
    onDisconnected: () => held.onDisconnected(),
    onRequest: (connection, request) => void work(connection, request),
    onEnd: (reason) => void end(reason),
  });

  return {
    start() {
      // Releases keys and buttons that a crashed driver left held; an action waits for it.
      void held.release();
      keeper.start();
    },
    async stop() {
      isStopping = true;
      const giveUpAt = timing.now() + stopGraceMs;
      while (worker.inFlight > 0 && timing.now() < giveUpAt) {
        await new Promise<void>((resolve) => {
          timing.after(stopCheckMs, resolve);
        });
      }
      await end("stopped");
    },
    connected: () => connected.promise,
    get isConnected() {
      return keeper.isConnected;
    },
    finished: finished.promise,
  };
}

/** A driver that ends waits no longer than this for its desktop. */
const releaseMsMax = 2_000;
/** A caller that reconnects within this time finds its keys and buttons still held. */
const withoutServiceMs = 60_000;

interface HeldInputOptions {
  readonly desktop: Desktop;
  readonly timing: Timing;
  readonly log: DriverLog;
}

class HeldInput {
  readonly #desktop: Desktop;
  readonly #timing: Timing;
  readonly #log: DriverLog;
  #cancel = (): void => {};

  constructor({ desktop, timing, log }: HeldInputOptions) {
    this.#desktop = desktop;
    this.#timing = timing;
    this.#log = log;
  }

  onConnected(): void {
    this.#cancel();
  }

  onDisconnected(): void {
    this.#cancel();
    this.#cancel = this.#timing.after(withoutServiceMs, () => void this.release());
  }

  /** Never rejects, and takes at most 2 s. */
  async release(): Promise<void> {
    this.#cancel();
    const late = Promise.withResolvers<never>();
    const cancel = this.#timing.after(releaseMsMax, () => late.reject(new Error("the desktop is too slow")));
    try {
      await Promise.race([this.#desktop.releaseHeld(), late.promise]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown";
      this.#log("warn", "held keys and buttons not released", { reason });
    } finally {
      cancel();
    }
  }
}
