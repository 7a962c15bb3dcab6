import { createServer } from "node:http";
import { createDriver, type DriverEnd } from "../../../infra/driver/create-driver.ts";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import type { SocketEvents } from "../../../infra/driver/tunnel/socket.ts";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import { TunnelHeader } from "../../../shared/contract/tunnel.ts";
import { bodyText, bytesOf, fixed, type Opening, wait } from "./exchange.ts";

const bodyBytesMax = 100_000;

export async function startDriverEnd(opening: Opening, emit: (text: string) => void) {
  const { handshake, desktop: answer } = opening;
  let events: SocketEvents | undefined;
  let headers: Readonly<Record<string, string>> | undefined;
  let seen: object | undefined;
  let ended: DriverEnd | null = null;
  const bucket = await openBucket();
  const desktop: Desktop = {
    osInfo: "linux x64, X11 display :0",
    capabilities: ["/computer/display/dimensions", "/computer/input/mouse/scroll"],
    programs: [],
    async releaseHeld() {},
    async handle({ body, signal: _signal, ...request }) {
      const isInline = body.size !== undefined;
      seen = { ...request, ...(isInline ? bodyText(await body.bytes(bodyBytesMax)) : { download: true }) };
      const { status, headers: given } = answer ?? { status: 500, headers: {} };
      return { status, headers: given, body: bytesOf(answer ?? {}) };
    },
  };
  const driver = createDriver({
    url: "wss://tunnel.invalid/live",
    authorization: handshake?.[TunnelHeader.authorization] ?? fixed.authorization,
    fingerprint: handshake?.[TunnelHeader.fingerprint] ?? fixed.fingerprint,
    hostname: "desk-7",
    version: "1.0.0",
    ...(handshake && {
      name: "Front desk",
      remotePeerId: "peer-fixture",
      keepaliveFor: fixed.keptAliveId,
    }),
    pid: 4_242,
    desktop,
    timing: { now: () => fixed.nowMs, after: () => () => {} },
    random: () => 0.5,
    dial: (_url, given, listener) => {
      headers = given;
      events = listener;
      setImmediate(() => listener.onOpen(undefined, "127.0.0.1"));
      return { send: emit, close: () => {}, terminate: () => {} };
    },
  });
  void driver.finished.then((end) => {
    ended = end;
  });
  driver.start();
  return {
    receive: (text: string) =>
      events?.onText(
        text
          .replaceAll(fixed.bucket, bucket.url)
          .replaceAll(JSON.stringify(fixed.bucketHost), JSON.stringify(new URL(bucket.url).host)),
      ),
    headers: () => headers,
    outcome: () => ({ ...(seen && { seen }), ended }),
    async stop() {
      await driver.stop();
      await bucket.close();
    },
  };
}

async function openBucket() {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(200, { connection: "close" }).end());
  });
  const { url, stop } = await listenOnLoopback(server, 0);
  return { url: `${url}/`, close: stop };
}

export const welcomeFrames = [
  {
    type: "welcome",
    protocol: 1,
    machine_id: fixed.machineId,
    organization_id: fixed.organizationId,
    transfer_hosts: [fixed.bucketHost],
    ping_seconds: 300,
    message_bytes_max: 32_000,
  },
  { type: "pong", at: fixed.nowMs },
].map((frame) => JSON.stringify(frame));

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await wait(0);
}
