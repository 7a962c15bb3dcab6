import type { IncomingMessage } from "node:http";
import { AwsError } from "./aws-error.ts";

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const bodyBytesMax = 16 * 1024 ** 2;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) {
      throw new AwsError(413, "RequestEntityTooLargeException", "the body is larger than 16 MB");
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
