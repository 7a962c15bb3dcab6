import type { IncomingMessage } from "node:http";

export type BodyRead =
  | { readonly kind: "read"; readonly body: Buffer }
  | { readonly kind: "too_large" }
  | { readonly kind: "aborted" };

/** Bytes of a body above the limit that are read and dropped, so that its sender gets to see the 413. */
const discardedBytesMax = 64 * 1024 * 1024;

/** Reads a body of at most `bytesMax` bytes; of a larger one nothing is kept. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<BodyRead> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The stream stays open at the end of the loop: destroying it would take the socket, and the response, with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > bytesMax + discardedBytesMax) break;
    }
  } catch {
    // The client disconnected in the middle: there is no one to respond to.
    return { kind: "aborted" };
  }
  return bytes > bytesMax ? { kind: "too_large" } : { kind: "read", body: Buffer.concat(chunks) };
}
