import type { IncomingMessage } from "node:http";
import { request as requestSecure } from "node:https";
import { type Exchange, ModelFailedError } from "./failure.ts";

/** No model's reply is larger; the rest of a longer one is not read. */
const replyBytesMax = 8_000_000;

export interface SentInit {
  readonly method?: string | undefined;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

type Change = (init: SentInit) => SentInit;

/**
 * Node's own `fetch` gives a provider 5 minutes for its first byte, and a model may think for longer. Redirections are
 * not followed, so that a key goes nowhere else.
 *
 * Source: https://undici.nodejs.org/#/docs/api/Client?id=parameter-clientoptions (headersTimeout)
 */
export class ObservedFetch {
  #seen: Exchange = { status: undefined, headers: new Headers(), body: undefined, isTooLong: false };
  #wasSent = false;
  readonly #change: Change;

  constructor(change: Change = (init) => init) {
    this.#change = change;
  }

  get seen(): Exchange {
    return this.#seen;
  }

  /** False when the package refused before it sent anything. */
  get wasSent(): boolean {
    return this.#wasSent;
  }

  /**
   * The name of a model is part of some addresses, so a call leaves only for the provider's own one that ends with the
   * method.
   */
  only(base: string, method: string): ObservedFetch["fetch"] {
    const meant = new URL(`${base}/`);
    return async (input, init, change) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const isMeant =
        url.origin === meant.origin &&
        url.pathname.startsWith(meant.pathname) &&
        url.pathname.endsWith(method) &&
        url.search === "" &&
        url.hash === "";
      if (!isMeant) throw new ModelFailedError("rejected", "the model has a name that no address has");
      return await this.fetch(url, init, change);
    };
  }

  readonly fetch = async (
    input: string | URL | Request,
    init: SentInit = {},
    change: Change = this.#change,
  ): Promise<Response> => {
    this.#wasSent = true;
    const incoming = await send(new URL(input instanceof Request ? input.url : input), change(init));
    const { statusCode: status = 0 } = incoming;
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value ?? "")]),
    );
    this.#seen = { status, headers, body: undefined, isTooLong: false };
    const bytes = await read(incoming);
    if (bytes === undefined) {
      this.#seen = { ...this.#seen, isTooLong: true };
      throw new Error("the reply is too long");
    }
    this.#seen = { ...this.#seen, body: bytes.toString() };
    return new Response(new Uint8Array(bytes), { status, headers });
  };
}

function send(url: URL, { method = "GET", headers, body, signal }: SentInit): Promise<IncomingMessage> {
  const content = String(body ?? "");
  const request = url.protocol === "http:" ? process.getBuiltinModule("node:http").request : requestSecure;
  return new Promise((resolve, reject) => {
    request(url, {
      method,
      // A connection that was kept while the function was frozen is dead, and would fail the call.
      agent: false,
      headers: { ...Object.fromEntries(new Headers(headers)), "content-length": Buffer.byteLength(content) },
      ...(signal && { signal }),
    })
      .on("response", resolve)
      .on("error", reject)
      .end(content);
  });
}

async function read(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > replyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
