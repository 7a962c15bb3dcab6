import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { portProblem } from "../port-problem.ts";
import { gatewayResponse } from "./http-response.ts";
import type { WebSocketGateway } from "./websocket-gateway.ts";

/** The limit is well above API Gateway's, so that the gateways refuse a request and not the server. */
const serverHeaderBytesMax = 256 * 1024;

/** Clients close an idle connection sooner, so none sends on one that is just being closed. */
export const keepAliveMs = 75_000;

export interface GatewayOptions {
  readonly port: number;
  readonly http: RequestListener;
  readonly websocket: Pick<WebSocketGateway, "handleUpgrade" | "close">;
}

export interface RunningGateway {
  readonly port: number;
  stop(): Promise<void>;
}

/** @throws {Error} one sentence, when the port is not available. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const server = createServer(
    {
      maxHeaderSize: serverHeaderBytesMax,
      keepAliveTimeout: keepAliveMs,
      // Other protocols, such as h2c, are plain requests to an HTTP API.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
    },
    options.http,
  );
  server.maxHeadersCount = 0;
  server.on("upgrade", (request, socket, head) => options.websocket.handleUpgrade(request, socket, head));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    answerMalformed(error, socket as Socket),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new Error(portProblem(error, options.port), { cause: error })),
    );
    server.listen(options.port, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  return {
    port,
    stop: () => {
      stopped ??= (async () => {
        const down = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await options.websocket.close();
        await down;
      })();
      return stopped;
    },
  };
}

/** Malformed HTTP never reaches a listener. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const reason = isTooLarge ? "Request Header Fields Too Large" : "Bad Request";
  const answer = gatewayResponse(isTooLarge ? 431 : 400, reason);
  socket.end(
    `HTTP/1.1 ${answer.status} ${reason}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${answer.body.length}\r\n\r\n${answer.body.toString()}`,
  );
}
