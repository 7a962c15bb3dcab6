import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { keepAliveMs } from "../../infra/local/gateway/start-gateway.ts";

export interface LaterService {
  readonly baseUrl: string;
  stop(): void;
}

/**
 * The service as a later release may be: each object of its responses has a field that the client's document does not
 * have. Programs that were made of an older document have to go on.
 */
export async function startLaterService(baseUrl: string): Promise<LaterService> {
  // Clients close an idle connection sooner, so that none is closed while a request is on its way.
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    void passOn(baseUrl, request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Passed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

async function passOn(baseUrl: string, request: IncomingMessage): Promise<Passed> {
  const { method = "GET", url = "/" } = request;
  const headers = new Headers();
  for (const name of ["authorization", "content-type", "accept", "idempotency-key"] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, String(value));
  }
  const sent = await buffer(request);
  const response = await fetch(`${baseUrl}${url}`, {
    method,
    headers,
    ...(sent.length > 0 && { body: new Uint8Array(sent) }),
  });
  const type = response.headers.get("content-type") ?? "";
  const body = Buffer.from(await response.arrayBuffer());
  const isJson = type.startsWith("application/json");
  const requestId = response.headers.get("x-request-id");
  return {
    status: response.status,
    // A response without a body has no header that says what it is.
    headers: {
      ...(type !== "" && { "content-type": type }),
      ...(requestId && { "x-request-id": requestId }),
    },
    body: isJson ? JSON.stringify(JSON.parse(body.toString(), addField)) : body,
  };
}

function addField(_key: string, value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { ...value, added_later: "in another release" } : value;
}
