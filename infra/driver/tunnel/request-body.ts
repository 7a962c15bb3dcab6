import { Readable } from "node:stream";
import { Refusal } from "../answer.ts";
import type { RequestBody } from "../desktop.ts";
import type { WholeRequest } from "./request-assembler.ts";
import { openDownload } from "./transfer.ts";
import type { TransferRules } from "./transfer-rules.ts";

function tooLarge(bytesMax: number): Refusal {
  return new Refusal(413, "too_large", `the body is larger than the ${bytesMax} bytes that are taken here`);
}

function inlineBody(body: Uint8Array): RequestBody {
  return {
    size: body.byteLength,
    async bytes(bytesMax) {
      if (body.byteLength > bytesMax) throw tooLarge(bytesMax);
      return body;
    },
    stream: async () => Readable.from([body]),
  };
}

/** A `download` is fetched when it is read. */
export function requestBody(request: WholeRequest, rules: TransferRules, signal: AbortSignal): RequestBody {
  const { download } = request;
  if (download === undefined) return inlineBody(request.body);
  return {
    size: undefined,
    async bytes(bytesMax) {
      const { stream, size } = await openDownload(download, rules, signal);
      const chunks: Buffer[] = [];
      let read = 0;
      try {
        if (size !== undefined && size > bytesMax) throw tooLarge(bytesMax);
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          read += chunk.byteLength;
          if (read > bytesMax) throw tooLarge(bytesMax);
          chunks.push(chunk);
        }
      } finally {
        stream.destroy();
      }
      return Buffer.concat(chunks);
    },
    stream: async () => (await openDownload(download, rules, signal)).stream,
  };
}
