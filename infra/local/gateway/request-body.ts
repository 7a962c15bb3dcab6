import type { IncomingMessage } from "node:http";

export type BodyRead =
  | { readonly kind: "read"; readonly body: Buffer }
  | { readonly kind: "too_large" }
  | { readonly kind: "aborted" };

/** So much of an oversized body is read and dropped, so that its sender can read the 413. */
const discardedBytesMax = 64 * 1024 * 1024;

export async function readBody(request: IncomingMessage, bytesMax: number): Promise<BodyRead> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Destroying the stream would take the socket, and the response, with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > bytesMax + discardedBytesMax) break;
    }
  } catch {
    return { kind: "aborted" };
  }
  return bytes > bytesMax ? { kind: "too_large" } : { kind: "read", body: Buffer.concat(chunks) };
}
