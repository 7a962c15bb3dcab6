import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type LoopbackServer, listenOnLoopback } from "../../loopback-server.ts";
import { databaseAuthorization } from "./database-key.ts";

/** A page in a browser is kept out: it cannot omit Origin, nor choose its Host. */
export async function openLoopbackDoor(engine: {
  readonly port: number;
  readonly accessKeyId: string;
}): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: 120_000, noDelay: true }, (request, response) => {
    if (!isFromProgram(request)) {
      response.writeHead(403).end();
      return;
    }
    // The caller disconnected, or the engine ended: nobody is left to respond to.
    handOn(engine, request, response).catch(() => request.socket.destroy());
  });
  return await listenOnLoopback(server, 0);
}

function isFromProgram({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "");
}

async function handOn(
  { port, accessKeyId }: { readonly port: number; readonly accessKeyId: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = { ...request.headers, authorization: databaseAuthorization(accessKeyId) };
  const outgoing = httpRequest({
    host: "127.0.0.1",
    port,
    method: request.method,
    path: request.url,
    headers,
  });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  await Promise.all([
    pipeline(request, outgoing),
    answered.then(async ([answer]) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      await pipeline(answer, response);
    }),
  ]);
}
