import type { IncomingMessage } from "node:http";
import { AwsError } from "./aws-error.ts";

/**
 * Reads by events: an iterator over the stream, or the functions of node:stream/consumers, take several times as long.
 *
 * @throws {AwsError} 413 above `bytesMax`.
 */
export async function readBody(message: IncomingMessage, bytesMax = Infinity): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  message.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) return void chunks.push(chunk);
    message.pause();
    reject(
      new AwsError(
        413,
        "RequestEntityTooLargeException",
        `the body is larger than ${bytesMax / 1024 ** 2} MB`,
      ),
    );
  });
  message.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  message.once("error", reject);
  message.once("close", () => {
    if (!message.complete) reject(new Error("the body was cut off"));
  });
  return await promise;
}
