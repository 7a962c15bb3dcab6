import { Readable } from "node:stream";

/** Reads a reply's body without a stream of its own, into which the SDK would pipe it. */
export async function collectReply(body: unknown): Promise<Uint8Array> {
  if (!(body instanceof Readable)) throw new Error("a reply of Node's HTTP client has a Node stream");
  return await new Promise<Uint8Array>((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    body
      .on("data", (chunk: Uint8Array) => chunks.push(chunk))
      .once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
      .once("error", reject)
      .resume();
  });
}
