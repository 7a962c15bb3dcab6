import type { FileStore } from "../domain/file-store.ts";
import type { Logger } from "../domain/logger.ts";
import type { DriverAnswer, DriverRequest } from "../domain/tunnel/driver-channel.ts";
import { fileBytesMax } from "../vocabulary/drivers.ts";
import type { WholeAnswer } from "./answer-assembly.ts";

export interface AnswerUploads {
  readonly files: Pick<FileStore, "get" | "size" | "remove">;
  readonly logger: Logger;
  readonly background: (work: () => Promise<void>) => Promise<void>;
}

export async function presentAnswer(
  uploads: AnswerUploads,
  request: DriverRequest,
  answer: WholeAnswer,
  key: string,
): Promise<DriverAnswer> {
  const { status, headers, body } = answer;
  if (!answer.uploaded) return { kind: "answered", status, headers, body };
  if (request.readBytesMax !== undefined && request.largeResponse) {
    const read = await readUpload(uploads, key, request.readBytesMax);
    return read === undefined ? missingUpload() : { kind: "answered", status, headers, body: read };
  }
  const sizeBytes = request.largeResponse ? await uploads.files.size(key) : undefined;
  if (sizeBytes === undefined) return missingUpload();
  if (sizeBytes > fileBytesMax) {
    // A presigned PUT can be limited to one length, unknown for an answer, but not to a maximum; only a form's POST
    // can. So the size is checked afterwards, and an object too large is removed at once rather than in a day.
    await removeUpload(uploads, key);
    return brokenUpload(`the driver uploaded ${sizeBytes} bytes, at most ${fileBytesMax} are taken`);
  }
  return { kind: "stored", status, headers, key, sizeBytes };
}

async function readUpload(uploads: AnswerUploads, key: string, max: number): Promise<Uint8Array | undefined> {
  try {
    return await uploads.files.get(key, max);
  } finally {
    await uploads.background(async () => await removeUpload(uploads, key));
  }
}

/** The caller's response is the same either way, because a leftover object expires by the bucket's own rule. */
async function removeUpload({ files, logger }: AnswerUploads, key: string): Promise<void> {
  try {
    await files.remove(key);
  } catch (cause) {
    logger.warn("an upload that nobody needs could not be removed", { cause });
  }
}

function missingUpload(): DriverAnswer {
  return brokenUpload("the driver says that it uploaded its answer, but there is none");
}

/** A driver that breaks the protocol has failed, whatever status it claims. */
function brokenUpload(error: string): DriverAnswer {
  return { kind: "answered", status: 502, headers: {}, body: Buffer.from(JSON.stringify({ error })) };
}
