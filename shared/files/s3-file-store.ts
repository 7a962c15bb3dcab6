import {
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { isAway, isThrottled } from "../aws/aws-failure.ts";
import { DomainError } from "../domain/errors.ts";
import type { FileStore, ListedObjects, PresignedRequest, PresignPutOptions } from "../domain/file-store.ts";
import { keptPrefixes } from "../vocabulary/files.ts";
import { objectKeys } from "./object-keys.ts";

export interface S3FileStoreOptions {
  readonly client: S3Client;
  readonly bucket: string;
  /** Without it, no entity's objects are created. A table may have no id yet. */
  readonly tableId?: () => Promise<string | undefined>;
}

const tableTag = "table";
const taggingHeader = "x-amz-tagging";

/** A presigned address expires with the credentials that signed it, and a function's last for hours. */
const presignedSecondsMax = 3_600;

export class S3FileStore implements FileStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #tableId: S3FileStoreOptions["tableId"];
  readonly uploadKey = objectKeys.uploadKey;
  readonly tunnelKey = objectKeys.tunnelKey;
  readonly spillKey = objectKeys.spillKey;
  readonly attachmentKey = objectKeys.attachmentKey;
  readonly stepKey = objectKeys.stepKey;
  readonly stepPrefix = objectKeys.stepPrefix;

  constructor(options: S3FileStoreOptions) {
    this.#client = options.client;
    this.#bucket = options.bucket;
    this.#tableId = options.tableId;
  }

  /** The condition and a given length are part of the signature, so that S3 refuses a request without them. */
  async presignPut(key: string, options: PresignPutOptions): Promise<PresignedRequest> {
    const { contentLength } = options;
    const expiresIn = Math.min(options.expiresInSeconds, presignedSecondsMax);
    const tagging = options.isBare === true ? undefined : await this.#tagging(key);
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      IfNoneMatch: "*",
      ...(contentLength === undefined ? {} : { ContentLength: contentLength }),
      ...tagging,
    });
    // S3 accepts no tags from a query, only from a header.
    const unhoistableHeaders = new Set([taggingHeader]);
    const url = await getSignedUrl(this.#client, command, { expiresIn, unhoistableHeaders });
    const headers: Record<string, string> = {
      "if-none-match": "*",
      ...(contentLength === undefined ? {} : { "content-length": String(contentLength) }),
      ...(tagging === undefined ? {} : { [taggingHeader]: tagging.Tagging }),
    };
    const signed = signedHeaderNames(url);
    for (const name of Object.keys(headers)) {
      if (!signed.includes(name)) throw new Error(`the upload's ${name} was not signed`);
    }
    return { url, headers, expiresInSeconds: expiresIn };
  }

  async presignGet(
    key: string,
    options: { readonly expiresInSeconds: number; readonly filename?: string },
  ): Promise<PresignedRequest> {
    const expiresIn = Math.min(options.expiresInSeconds, presignedSecondsMax);
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ...(options.filename === undefined ? {} : { ResponseContentDisposition: attachment(options.filename) }),
    });
    const url = await getSignedUrl(this.#client, command, { expiresIn });
    return { url, headers: {}, expiresInSeconds: expiresIn };
  }

  async put(key: string, body: Uint8Array, contentType: string): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      Body: body,
      ContentLength: body.byteLength,
      ContentType: contentType,
      ...(await this.#tagging(key)),
    });
    await answered(() => this.#client.send(command));
  }

  async get(key: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: key });
    const output = await found(() => this.#client.send(command));
    if (!output?.Body) return undefined;
    const bytes = output.ContentLength ?? Number.POSITIVE_INFINITY;
    if (bytes > maxBytes) {
      // Nobody reads the rest, so the connection is closed rather than drained.
      if ("destroy" in output.Body) output.Body.destroy();
      throw new DomainError("answer_too_large", `the file has ${bytes} bytes; at most ${maxBytes} fit here`);
    }
    const body = output.Body;
    return await answered(() => body.transformToByteArray());
  }

  async size(key: string): Promise<number | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key });
    const output = await found(() => this.#client.send(command));
    return output?.ContentLength;
  }

  async has(key: string): Promise<boolean> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: key, MaxKeys: 1 });
    const { Contents = [] } = await answered(() => this.#client.send(command));
    return Contents[0]?.Key === key;
  }

  async tableOf(key: string): Promise<string | undefined> {
    const command = new GetObjectTaggingCommand({ Bucket: this.#bucket, Key: key });
    const output = await found(() => this.#client.send(command));
    return output?.TagSet?.find(({ Key }) => Key === tableTag)?.Value;
  }

  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key });
    await answered(() => this.#client.send(command));
  }

  async list(prefix: string, after: string): Promise<ListedObjects> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, StartAfter: after });
    const { Contents = [], IsTruncated } = await answered(() => this.#client.send(command));
    const objects = Contents.map(({ Key, LastModified }) => {
      if (Key === undefined || LastModified === undefined)
        throw new Error("a listed object has no key or age");
      return { key: Key, modifiedAtMs: LastModified.getTime() };
    });
    const last = objects.at(-1)?.key;
    return { objects, ...(IsTruncated === true && last !== undefined && { nextAfter: last }) };
  }

  /** Only entities' objects are tagged for the sweeper; all others expire. */
  async #tagging(key: string): Promise<{ readonly Tagging: string } | undefined> {
    if (!keptPrefixes.some((prefix) => key.startsWith(prefix))) return undefined;
    if (this.#tableId === undefined) throw new Error("this function makes no objects of entities");
    const tableId = await this.#tableId();
    return tableId === undefined ? undefined : { Tagging: `${tableTag}=${tableId}` };
  }
}

function signedHeaderNames(url: string): readonly string[] {
  return (new URL(url).searchParams.get("X-Amz-SignedHeaders") ?? "").split(";");
}

/** Old clients read the plain name. Source: https://www.rfc-editor.org/rfc/rfc6266#section-4.3 */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

async function found<T>(call: () => Promise<T>): Promise<T | undefined> {
  return await answered(async () => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof NoSuchKey || error instanceof NotFound) return undefined;
      throw error;
    }
  });
}

async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isAway(error) && !isThrottled(error)) throw error;
    throw new DomainError("service_unavailable", "the service's file store is busy or away; try again", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}
