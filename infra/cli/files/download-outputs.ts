import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { ApiClient } from "../../../shared/client/api-client.ts";
import { ApiUnreachable } from "../../../shared/client/api-error.ts";
import { openNewFile } from "./new-file.ts";

interface DownloadDeps {
  readonly client: ApiClient;
  /** Without credentials: the address that is given has its own. */
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** Stores each file of a run in the folder. @param onFile gets the path once the file is whole. */
export async function downloadOutputs(
  { client, fetch, signal }: DownloadDeps,
  attachmentIds: readonly string[],
  folder: string,
  onFile: (path: string) => void,
): Promise<void> {
  for (const attachment_id of attachmentIds) {
    const path = { attachment_id };
    const { filename } = await client.call("getRunAttachment", { path, signal });
    const { url } = await client.call("getRunAttachmentDownloadUrl", { path, signal });
    const response = await fetch(url, { signal }).catch((cause: unknown) => {
      throw new ApiUnreachable(cause);
    });
    if (!response.ok || response.body === null) {
      throw new Error(`the file ${attachment_id} cannot be downloaded: status ${response.status}`);
    }
    const { path: target, file } = await openNewFile(folder, filename);
    try {
      await pipeline(Readable.fromWeb(response.body as ReadableStream), file.createWriteStream(), { signal });
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
    onFile(target);
  }
}
