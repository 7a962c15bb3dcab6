/**
 * These are the parts of `Headers`, `Request` and `Response` that Hono uses, for bodies that are at hand. The first use
 * of Node's own loads its `fetch`, which takes 20 ms of a cold start; bundles give these to Hono
 * (`infra/bundle/plain-responses.ts`). No route sets a cookie.
 */
export class PlainHeaders {
  readonly #values = new Map<string, string>();

  constructor(init: Iterable<readonly [string, string]> | Readonly<Record<string, string>> = {}) {
    const entries = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of entries as Iterable<readonly [string, string]>) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  /** @throws {TypeError} for a name or a value that HTTP does not know. */
  set(name: string, value: string): void {
    const text = value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError("a header's name has other characters");
    if (/[\0\n\r\u0100-\uffff]/.test(text)) throw new TypeError("a header's value has other characters");
    this.#values.set(name.toLowerCase(), text);
  }

  append(name: string, value: string): void {
    const first = this.get(name);
    this.set(name, first === null ? value : `${first}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this) visit(value, name);
  }

  entries(): Iterable<[string, string]> {
    return this.#values.entries();
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#values.entries();
  }
}

class PlainMessage {
  readonly headers: PlainHeaders;
  readonly body: string | Uint8Array | null;

  constructor(body: PlainMessage["body"] = null, headers?: ConstructorParameters<typeof PlainHeaders>[0]) {
    this.body = body;
    this.headers = new PlainHeaders(headers);
  }

  async text(): Promise<string> {
    const { body } = this;
    return typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { body } = this;
    return typeof body === "string"
      ? new TextEncoder().encode(body).buffer
      : new Uint8Array(body ?? []).buffer;
  }
}

interface PlainInit {
  readonly method?: string;
  readonly status?: number;
  readonly headers?: ConstructorParameters<typeof PlainHeaders>[0];
}

export class PlainRequest extends PlainMessage {
  readonly url: string;
  readonly method: string;

  /** @throws {TypeError} for a URL or a header that cannot be read. */
  constructor(
    url: string,
    { method = "GET", headers, body }: PlainInit & { readonly body?: PlainMessage["body"] },
  ) {
    super(body, headers);
    this.url = new URL(url).href;
    this.method = method;
  }
}

export class PlainResponse extends PlainMessage {
  readonly status: number;

  constructor(body?: PlainMessage["body"], { status = 200, headers }: PlainInit = {}) {
    super(body, headers);
    this.status = status;
    if (typeof body === "string" && !this.headers.has("content-type"))
      this.headers.set("content-type", "text/plain;charset=UTF-8");
  }
}
