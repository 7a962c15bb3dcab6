import type { Clock } from "../../../shared/domain/clock.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import type {
  FileStore,
  ListedObjects,
  PresignedRequest,
  PresignPutOptions,
} from "../../../shared/domain/file-store.ts";
import { objectKeys } from "../../../shared/files/object-keys.ts";

export const testTableId = "test-table";

const pageSize = 1_000;

export class InMemoryFileStore implements FileStore {
  readonly #clock: Pick<Clock, "now">;
  readonly #objects = new Map<string, Uint8Array>();
  readonly #modifiedAtMs = new Map<string, number>();
  readonly #tables = new Map<string, string | undefined>();
  tableId: string | undefined = testTableId;
  readonly uploadKey = objectKeys.uploadKey;
  readonly tunnelKey = objectKeys.tunnelKey;
  readonly spillKey = objectKeys.spillKey;
  readonly attachmentKey = objectKeys.attachmentKey;
  readonly stepKey = objectKeys.stepKey;
  readonly stepPrefix = objectKeys.stepPrefix;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async presignPut(key: string, options: PresignPutOptions): Promise<PresignedRequest> {
    const headers: Record<string, string> = {
      "if-none-match": "*",
      ...(options.contentLength === undefined ? {} : { "content-length": String(options.contentLength) }),
    };
    return {
      url: `https://bucket.test/${key}?method=PUT`,
      headers,
      expiresInSeconds: options.expiresInSeconds,
    };
  }

  async presignGet(key: string, options: { readonly expiresInSeconds: number }): Promise<PresignedRequest> {
    return {
      url: `https://bucket.test/${key}?method=GET`,
      headers: {},
      expiresInSeconds: options.expiresInSeconds,
    };
  }

  async put(key: string, body: Uint8Array, _contentType: string): Promise<void> {
    this.#objects.set(key, Uint8Array.from(body));
    this.#modifiedAtMs.set(key, this.#clock.now());
    this.#tables.set(key, this.tableId);
  }

  async get(key: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const body = this.#objects.get(key);
    if (body && body.byteLength > maxBytes) {
      throw new DomainError(
        "answer_too_large",
        `the object has ${body.byteLength} bytes; at most ${maxBytes} fit`,
      );
    }
    return body && Uint8Array.from(body);
  }

  async size(key: string): Promise<number | undefined> {
    return this.#objects.get(key)?.byteLength;
  }

  async has(key: string): Promise<boolean> {
    return this.#objects.has(key);
  }

  async tableOf(key: string): Promise<string | undefined> {
    return this.#tables.get(key);
  }

  async remove(key: string): Promise<void> {
    this.#objects.delete(key);
  }

  async list(prefix: string, after: string): Promise<ListedObjects> {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, pageSize);
    const last = page.at(-1);
    return {
      objects: page.map((key) => ({ key, modifiedAtMs: this.#modifiedAtMs.get(key) ?? 0 })),
      ...(last !== undefined && keys.length > page.length && { nextAfter: last }),
    };
  }

  keys(): readonly string[] {
    return [...this.#objects.keys()];
  }
}
