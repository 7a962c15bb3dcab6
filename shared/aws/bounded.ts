import { Readable } from "node:stream";
import type { Middleware, MiddlewareClient } from "./client-middleware.ts";

interface ReplyBounds {
  /** From the headers to the body's end. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/** The largest object that is read is the response to a batch, of 34 MB. */
const usualBounds: ReplyBounds = { timeoutMs: 5_000, bytesMax: 40_000_000 };

/** Ends replies that are too long or too slow, with an `AbortError`: the SDK bounds the time until the headers alone. */
export function bounded<C extends MiddlewareClient>(client: C, bounds = usualBounds): C {
  const bounding: Middleware = (next) => async (args) => {
    const result = await next(args);
    const body = bodyOf(result);
    if (body) bound(body, bounds);
    return result;
  };
  // With a low priority it is called before the reply is read.
  client.middlewareStack.add(bounding, { step: "deserialize", priority: "low", name: "boundedReply" });
  return client;
}

function bodyOf(result: unknown): Readable | undefined {
  const { response } = result as { readonly response?: { readonly body?: unknown } };
  return response?.body instanceof Readable ? response.body : undefined;
}

function bound(body: Readable, { timeoutMs, bytesMax }: ReplyBounds): void {
  const end = (problem: string) => body.destroy(Object.assign(new Error(problem), { name: "AbortError" }));
  const timer = setTimeout(() => end(`the reply took more than ${timeoutMs} ms`), timeoutMs).unref();
  let bytes = 0;
  // A stream that is paused first does not flow for a listener.
  body.pause().on("data", (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) end(`the reply has more than ${bytesMax} bytes`);
  });
  body.once("close", () => clearTimeout(timer));
}
