import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";

const dripMs = 10;

/** The compressed bytes of 16 MiB; a gzip file may be a row of such members. */
const member = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 9 });
const membersPerFile = 128;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly contentType: string;
}

/** What a server may do to its client once it has the whole request. */
export const hostilities = {
  "never answers": () => {},
  "drips its headers": ({ socket }: Exchange) => {
    socket.write("HTTP/1.1 200 OK\r\nx-drip: ");
    repeat(socket, () => socket.write("x"));
  },
  "sends headers without end": ({ socket }: Exchange) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    flood(socket, Buffer.from(`x-more: ${"x".repeat(4_096)}\r\n`));
  },
  "sends interim responses without end": ({ socket }: Exchange) => {
    repeat(socket, () => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"));
  },
  "drips its body": ({ response, contentType }: Exchange) => {
    response.writeHead(200, { "content-type": contentType }).write(" ");
    repeat(response, () => response.write(" "));
  },
  "closes before its answer": ({ socket }: Exchange) => {
    socket.destroy();
  },
  "closes in the middle of its headers": ({ socket }: Exchange) => {
    socket.end("HTTP/1.1 200 OK\r\ncontent-le");
  },
  "closes in the middle of its body": ({ response, socket, contentType }: Exchange) => {
    response.writeHead(200, { "content-type": contentType, "content-length": 1_000 });
    response.write("{", () => socket.destroy());
  },
  "redirects to itself": ({ response }: Exchange) => {
    response.writeHead(307, { location: "/again" }).end();
  },
  "promises more than it sends": ({ socket, contentType }: Exchange) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: 1000000\r\n\r\n{}`);
  },
  "sends more than it promises": ({ socket, contentType }: Exchange) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: 2\r\n\r\n{}`);
    flood(socket, Buffer.alloc(65_536, "x"));
  },
  "answers in no HTTP": ({ socket }: Exchange) => {
    socket.end("SSH-2.0-OpenSSH_9.9\r\n");
  },
  "sends a body without end": ({ response, contentType }: Exchange) => {
    response.writeHead(200, { "content-type": contentType });
    flood(response, Buffer.alloc(65_536, "x"));
  },
  "sends gigabytes compressed": ({ response, contentType }: Exchange) => {
    response.writeHead(200, { "content-type": contentType, "content-encoding": "gzip" });
    flood(response, member, membersPerFile);
  },
} satisfies Readonly<Record<string, (exchange: Exchange) => void>>;

export type Hostility = keyof typeof hostilities;

export interface HostilePeer {
  readonly url: string;
  readonly port: number;
  /** The path of each request, in the order in which they came. */
  readonly paths: readonly string[];
  /** The number of connections that neither side has closed. */
  openConnections(): number;
  /** The bytes that clients and the kernel's buffers took, of connections that are closed. */
  sentBytes(): number;
  stop(): Promise<void>;
}

/** Starts an HTTP server on loopback that does this to every request. @param contentType is that of its bodies */
export async function startHostilePeer(
  hostility: Hostility,
  { contentType = "application/json" }: { readonly contentType?: string } = {},
): Promise<HostilePeer> {
  const paths: string[] = [];
  let open = 0;
  let sent = 0;
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    const { socket } = request;
    // The client closes what it has seen enough of.
    for (const end of [socket, response]) end.on("error", () => {});
    request.resume().once("end", () => hostilities[hostility]({ request, response, socket, contentType }));
  });
  server.on("connection", (socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
      sent += socket.bytesWritten;
    });
  });
  const { url, port, stop } = await listenOnLoopback(server, 0);
  return { url, port, paths, openConnections: () => open, sentBytes: () => sent, stop };
}

function repeat(to: Socket | ServerResponse, write: () => void): void {
  const timer = setInterval(write, dripMs);
  to.once("close", () => clearInterval(timer));
}

/** Writes as fast as the client reads. */
function flood(to: Socket | ServerResponse, part: Buffer, count = Number.POSITIVE_INFINITY): void {
  let left = count;
  const more = (): void => {
    while (!to.destroyed && left > 0) {
      left -= 1;
      if (!to.write(part)) return void to.once("drain", more);
    }
    if (left === 0) to.end();
  };
  more();
}
