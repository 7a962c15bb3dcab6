import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";

export interface ObjectRecord {
  readonly key: string;
  readonly sizeBytes: number;
  /** The ETag is a hexadecimal MD5, without the quotes that it has on the wire. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly tagging?: string;
  readonly file: string;
}

export interface Upload {
  readonly sizeBytes: number;
  readonly file: string;
}

/** An interrupted write leaves only unnamed bytes; a reader that has the old file open reads it to its end. */
export class ObjectStore {
  readonly root: string;
  readonly #buckets: Map<string, Map<string, ObjectRecord>>;
  readonly #isTemporary: boolean;

  private constructor(root: string, buckets: Map<string, Map<string, ObjectRecord>>, isTemporary: boolean) {
    this.root = root;
    this.#buckets = buckets;
    this.#isTemporary = isTemporary;
  }

  /** @param options.isTemporary omits the records, since nobody opens the folder again. */
  static async open(
    root: string,
    { isTemporary = false }: { readonly isTemporary?: boolean } = {},
  ): Promise<ObjectStore> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const buckets = new Map<string, Map<string, ObjectRecord>>();
    for (const bucket of await readdir(root)) {
      const records = new Map<string, ObjectRecord>();
      for (const name of await readdir(path.join(root, bucket))) {
        if (!name.endsWith(".json")) continue;
        const record = JSON.parse(await readFile(path.join(root, bucket, name), "utf8")) as ObjectRecord;
        records.set(record.key, record);
      }
      buckets.set(bucket, records);
    }
    return new ObjectStore(root, buckets, isTemporary);
  }

  async createBucket(bucket: string): Promise<void> {
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
      throw new Error(`${bucket} is no name for a bucket`);
    await mkdir(path.join(this.root, bucket), { recursive: true, mode: 0o700 });
    if (!this.#buckets.has(bucket)) this.#buckets.set(bucket, new Map());
  }

  hasBucket(bucket: string): boolean {
    return this.#buckets.has(bucket);
  }

  find(bucket: string, key: string): ObjectRecord | undefined {
    return this.#buckets.get(bucket)?.get(key);
  }

  /** S3 orders keys by their UTF-8 bytes. */
  list(bucket: string, prefix: string): readonly ObjectRecord[] {
    return [...(this.#buckets.get(bucket)?.values() ?? [])]
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  /** When the source fails, nothing is left. */
  async receive(bucket: string, chunks: AsyncIterable<Uint8Array>): Promise<Upload> {
    const file = `${randomUUID()}.bytes`;
    const handle = await open(path.join(this.root, bucket, file), "wx", 0o600);
    let sizeBytes = 0;
    try {
      for await (const chunk of chunks) {
        await handle.write(chunk);
        sizeBytes += chunk.length;
      }
    } catch (error) {
      await rm(path.join(this.root, bucket, file), { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return { sizeBytes, file };
  }

  async put(bucket: string, record: ObjectRecord): Promise<void> {
    if (!this.#isTemporary) await this.#keep(bucket, record);
    const before = this.find(bucket, record.key);
    this.#buckets.get(bucket)?.set(record.key, record);
    if (before) await this.discard(bucket, before.file);
  }

  async #keep(bucket: string, record: ObjectRecord): Promise<void> {
    const target = this.#recordPath(bucket, record.key);
    const draft = `${target}.${randomUUID()}.new`;
    await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
    await rename(draft, target);
  }

  async discard(bucket: string, file: string): Promise<void> {
    await rm(path.join(this.root, bucket, file), { force: true });
  }

  async remove(bucket: string, key: string): Promise<void> {
    const record = this.find(bucket, key);
    if (!record) return;
    this.#buckets.get(bucket)?.delete(key);
    if (!this.#isTemporary) await rm(this.#recordPath(bucket, key), { force: true });
    await this.discard(bucket, record.file);
  }

  read(bucket: string, record: ObjectRecord, first: number, last: number): Readable {
    return createReadStream(path.join(this.root, bucket, record.file), { start: first, end: last });
  }

  #recordPath(bucket: string, key: string): string {
    return path.join(this.root, bucket, `${createHash("sha256").update(key).digest("hex")}.json`);
  }
}
