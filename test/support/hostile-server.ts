import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

const json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const dripMs = 5;
/** Members of a gzip file follow each other: sixty-four of these are 1 GiB. */
const bombMember = gzipSync(Buffer.alloc(16 * 2 ** 20));

export type Behave = (socket: Socket, elsewhere: string) => void;

/** What a peer does once it has been sent the first bytes of a request. */
const hostileBehaviours = {
  "never answers": () => {},
  "hangs up at once": (socket) => socket.destroy(),
  "drips its headers": (socket) => drip(socket, "HTTP/1.1 200 OK\r\nx-drip: "),
  "drips its body": (socket) => drip(socket, `${json}content-length: 1000000\r\n\r\n"`),
  "closes in the middle of its headers": (socket) => socket.end("HTTP/1.1 200 OK\r\nx-half"),
  "closes in the middle of its body": (socket) => socket.end(`${json}content-length: 1000\r\n\r\n{"a":"b`),
  "closes in the middle of a chunk": (socket) =>
    socket.end(`${json}transfer-encoding: chunked\r\n\r\nff\r\n{"a":"b`),
  "redirects for the same method": (socket, to) => redirect(socket, 307, to),
  "redirects for good": (socket, to) => redirect(socket, 301, to),
  "sends less than its length": (socket) => socket.end(`${json}content-length: 10\r\n\r\n{}`),
  "sends more than its length": (socket) => socket.end(`${json}content-length: 2\r\n\r\n{}{"more": true}`),
  "has a length that is no number": (socket) => socket.end(`${json}content-length: 1e3\r\n\r\n{}`),
  "sends a body without end": (socket) =>
    flood(socket, `${json}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${"x".repeat(2 ** 16)}\r\n`),
  "sends headers without end": (socket) => flood(socket, json, `x-more: ${"x".repeat(4_096)}\r\n`),
  "sends a gigabyte compressed": (socket) => {
    socket.write(`${json}content-encoding: gzip\r\ncontent-length: ${64 * bombMember.length}\r\n\r\n`);
    for (let index = 0; index < 64; index += 1) socket.write(bombMember);
    socket.end();
  },
  "sends garbage for JSON": (socket) => reply(socket, "<html>\u0000 { not JSON"),
  "sends JSON of another shape": (socket) => reply(socket, '[null, {"error": 7}, "x"]'),
  "sends JSON a hundred thousand deep": (socket) =>
    reply(socket, `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
  "sends interim responses without end": (socket) => repeat(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
  "does not speak HTTP": (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"),
} satisfies Record<string, Behave>;
export type HostileBehaviour = keyof typeof hostileBehaviours;
export const allHostile = Object.keys(hostileBehaviours) as readonly HostileBehaviour[];

export interface HostileServer {
  readonly url: string;
  /** What was received where its redirects lead, as it came. */
  readonly strayed: () => string;
  /** The bytes that went to its callers, which those read or the kernel kept. */
  readonly sentBytes: () => number;
  readonly asked: () => number;
  /** The number of its callers' connections that neither side has closed. */
  readonly open: () => number;
}

/** Ends with the test. */
export async function startHostileServer(behaviour: HostileBehaviour | Behave): Promise<HostileServer> {
  const stray: Buffer[] = [];
  const elsewhere = await listen((socket) => socket.on("data", (bytes) => stray.push(bytes)));
  let [asked, sent, open] = [0, 0, 0];
  const behave: Behave = typeof behaviour === "string" ? hostileBehaviours[behaviour] : behaviour;
  const url = await listen((socket) => {
    open += 1;
    socket.on("close", () => {
      open -= 1;
      sent += socket.bytesWritten - socket.writableLength;
    });
    socket.once("data", () => {
      asked += 1;
      behave(socket, elsewhere);
    });
  });
  return {
    url,
    strayed: () => Buffer.concat(stray).toString("latin1"),
    sentBytes: () => sent,
    asked: () => asked,
    open: () => open,
  };
}

async function listen(accept: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => socket.destroy());
    accept(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

function reply(socket: Socket, body: string): void {
  socket.end(`${json}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function redirect(socket: Socket, status: number, to: string): void {
  socket.end(`HTTP/1.1 ${status} Moved\r\nlocation: ${to}/stolen\r\ncontent-length: 0\r\n\r\n`);
}

function drip(socket: Socket, start: string): void {
  socket.write(start);
  repeat(socket, "x");
}

function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), dripMs);
  socket.on("close", () => clearInterval(timer));
}

function flood(socket: Socket, start: string, more: string): void {
  socket.write(start);
  const pour = (): void => {
    while (!socket.destroyed && socket.write(more));
    socket.once("drain", pour);
  };
  pour();
}
