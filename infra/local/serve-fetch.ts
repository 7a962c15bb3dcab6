import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

type Fetch = (request: Request) => Response | Promise<Response>;

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(",") : value);
  }
  const body = method === "GET" || method === "HEAD" ? null : new Uint8Array(await buffer(incoming));
  return new Request(new URL(incoming.url ?? "/", "http://127.0.0.1"), { method, headers, body });
}

async function answer(fetch: Fetch, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const response = await fetch(await toRequest(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } catch (error) {
    outgoing.writeHead(500, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ message: String(error) }));
  }
}

/** Bodies are held in memory, so they must be small. */
export function serveFetch(fetch: Fetch): RequestListener {
  return (incoming, outgoing) => void answer(fetch, incoming, outgoing);
}
