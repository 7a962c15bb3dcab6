/** More than any reply of a model has; what is longer is not read. */
const replyBytesMax = 8_000_000;

/** What became of one call over HTTP. Nothing of the request is in it. */
export interface Exchange {
  /** Undefined: no reply came. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** Undefined: it broke off, or is longer than is read. */
  readonly body: string | undefined;
  readonly isTooLong: boolean;
}

/** A `fetch` for one call, and what it saw. */
export class ObservedFetch {
  #seen: Exchange = { status: undefined, headers: new Headers(), body: undefined, isTooLong: false };
  #wasSent = false;
  readonly #change: (init: RequestInit) => RequestInit;

  constructor(change: (init: RequestInit) => RequestInit = (init) => init) {
    this.#change = change;
  }

  get seen(): Exchange {
    return this.#seen;
  }

  /** False: the package refused before it sent anything. */
  get wasSent(): boolean {
    return this.#wasSent;
  }

  readonly fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
    change: (init: RequestInit) => RequestInit = this.#change,
  ): Promise<Response> => {
    this.#wasSent = true;
    // A key does not follow its provider elsewhere.
    const response = await fetch(input, { ...change(init), redirect: "error" });
    const { status, headers } = response;
    this.#seen = { status, headers, body: undefined, isTooLong: false };
    const bytes = await read(response);
    if (bytes === undefined) {
      this.#seen = { ...this.#seen, isTooLong: true };
      throw new Error("the reply is too long");
    }
    this.#seen = { ...this.#seen, body: new TextDecoder().decode(bytes) };
    return new Response(bytes, { status, headers });
  };
}

async function read(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > replyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
