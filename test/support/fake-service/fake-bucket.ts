import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface StoredObject {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * A bucket as far as presigned addresses go: PUT stores, GET answers.
 *
 * Like S3 it takes no body of unknown length (411), and an object that is to be made once only once (412).
 */
export class FakeBucket {
  static readonly hosts = new Set<string>();
  readonly objects = new Map<string, StoredObject>();
  /** Statuses of the next calls, in turn; later calls succeed. 0 cuts the connection. */
  readonly failures: number[] = [];
  calls = 0;
  putHeaders: StoredObject["headers"] = {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.calls += 1;
      const failure = this.failures.shift();
      if (failure === 0) {
        request.socket.destroy();
        return;
      }
      if (failure !== undefined) {
        request.resume();
        response.writeHead(failure).end();
        return;
      }
      const key = request.url ?? "";
      if (request.method === "GET") {
        const found = this.objects.get(key);
        response.writeHead(found === undefined ? 404 : 200, {
          "content-length": found?.body.byteLength ?? 0,
        });
        response.end(found?.body);
        return;
      }
      this.putHeaders = request.headers;
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (request.headers["if-none-match"] === "*" && this.objects.has(key)) {
          response.writeHead(412).end();
          return;
        }
        const hasLength = request.headers["content-length"] !== undefined;
        if (hasLength) this.objects.set(key, { body: Buffer.concat(chunks), headers: request.headers });
        response.writeHead(hasLength ? 200 : 411).end();
      });
    });
  }

  static async open(): Promise<FakeBucket> {
    const bucket = new FakeBucket();
    await new Promise<void>((resolve) => bucket.#server.listen(0, "127.0.0.1", resolve));
    FakeBucket.hosts.add(bucket.#host);
    return bucket;
  }

  get #host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A place for an object, with a query as a signature would be. */
  at(key: string, headers: Readonly<Record<string, string>> = {}) {
    return { url: `http://${this.#host}/${key}?signature=secret-signature`, headers: { ...headers } };
  }

  put(key: string, body: Uint8Array): void {
    this.objects.set(`/${key}?signature=secret-signature`, { body: Buffer.from(body), headers: {} });
  }

  get(key: string): StoredObject | undefined {
    return this.objects.get(`/${key}?signature=secret-signature`);
  }

  async close(): Promise<void> {
    FakeBucket.hosts.delete(this.#host);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
