import { type ApiClient, type ApiClientOptions, retriesOf } from "../../../shared/client/api-client.ts";
import { ApiUnreachable, apiErrorOf } from "../../../shared/client/api-error.ts";
import type { CallArguments, CallResponse } from "../../../shared/client/call-types.ts";
import { repeatedly } from "../../../shared/client/retry-policy.ts";
import { filesBytesMax } from "../../../shared/vocabulary/files.ts";

type AttachmentBody = CallArguments<"createRunAttachment">[0]["body"];
type Attachment = CallResponse<"getRunAttachment">;

export type NewFile = Omit<AttachmentBody, "content" | "size_bytes"> & {
  readonly data: Blob | Uint8Array<ArrayBuffer>;
};

export interface TransferOptions {
  /** Bounds one attempt; 100 MB then need at least 1 Mbit/s. @default 900,000 */
  readonly transferMs?: number;
}

export interface FilesClient {
  /**
   * Attaches a file of up to 100 MB to a run: in the request where it fits, else by the address that the service gives.
   *
   * @throws {ApiError} @throws {ApiUnreachable}
   */
  upload(file: NewFile, options?: TransferOptions): Promise<Attachment>;
  /** Reads a run's file. @throws {ApiError} @throws {ApiUnreachable} */
  download(attachmentId: string, options?: TransferOptions): Promise<Uint8Array<ArrayBuffer>>;
}

/** A file is there and cannot be replaced: an earlier attempt has put it. */
const alreadyThere = 412;

export function filesClient(api: ApiClient, options: ApiClientOptions): FilesClient {
  const retries = retriesOf(options);

  /** Without credentials: the address that is given has its own. */
  async function transfer(
    url: string,
    init: RequestInit,
    { transferMs = 900_000 }: TransferOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const signal = AbortSignal.timeout(transferMs);
    let response: Response;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      response = await (options.fetch ?? fetch)(url, { ...init, signal });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new ApiUnreachable(cause);
    }
    const isDone = response.ok || (init.method === "PUT" && response.status === alreadyThere);
    if (!isDone) throw apiErrorOf(response, new TextDecoder().decode(bytes));
    return bytes;
  }

  return {
    upload: async ({ data, ...file }, bounds = {}) => {
      const bytes = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data;
      if (bytes.length <= filesBytesMax) {
        const body = { ...file, content: base64Of(bytes) };
        return await api.call("createRunAttachment", { body });
      }
      const made = await api.call("createRunAttachment", { body: { ...file, size_bytes: bytes.length } });
      const { upload, ...attachment } = made;
      if (upload === undefined) throw new Error("the service gave no address to upload to");
      const { url, headers } = upload;
      const init = { method: "PUT", headers, body: bytes };
      await repeatedly(async () => await transfer(url, init, bounds), retries);
      return attachment;
    },
    download: async (attachment_id, bounds = {}) => {
      const { url } = await api.call("getRunAttachmentDownloadUrl", { path: { attachment_id } });
      return await repeatedly(async () => await transfer(url, {}, bounds), retries);
    },
  };
}

/** A call takes some ten thousand arguments. */
const chunkBytes = 8_192;

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    text += String.fromCharCode(...bytes.subarray(at, at + chunkBytes));
  }
  return btoa(text);
}
