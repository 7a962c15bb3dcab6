import { sentenceOf } from "../../program/failures.ts";

/** A message of JSON-RPC, as far as the bridge reads it. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly requestId?: string | number;
    readonly protocolVersion?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

export interface BridgeOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly write: (message: object) => void;
  /** @returns a function that stops it. */
  readonly every: (ms: number, work: () => void) => () => void;
}

/** The message names its version here from 2026-07-28 on. */
const versionKey = "io.modelcontextprotocol/protocolVersion";

const progressMs = 5_000;

/** What is no JSON-RPC error of the service is one of this code. */
const refusedCode = -32_000;
const parseErrorCode = -32_700;

/**
 * Takes messages of standard input to `POST /mcp`, and its responses back. The service has the tools; only progress is
 * the bridge's own, since a whole response brings none.
 *
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #underWay = new Map<string | number, AbortController>();
  /** Of the handshake, before 2026-07-28. */
  #version: string | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Never throws: a request that fails gets an error of JSON-RPC. */
  async take(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      this.#options.write({ jsonrpc: "2.0", id: null, error: { code: parseErrorCode, message: "no JSON" } });
      return;
    }
    const { id, method, params } = message;
    if (method === "notifications/cancelled") this.#underWay.get(params?.requestId ?? "")?.abort();
    const controller = new AbortController();
    if (id !== undefined) this.#underWay.set(id, controller);
    const stop = this.#showProgress(params?._meta?.progressToken);
    try {
      const response = await this.#post(message, line, controller.signal);
      if (response !== undefined) this.#options.write(response);
    } catch (error) {
      if (controller.signal.aborted || this.#options.signal.aborted || id === undefined) return;
      this.#options.write({ jsonrpc: "2.0", id, error: { code: refusedCode, message: sentenceOf(error) } });
    } finally {
      stop();
      if (id !== undefined) this.#underWay.delete(id);
    }
  }

  async #post(
    { id, method, params }: Message,
    body: string,
    cancelled: AbortSignal,
  ): Promise<object | undefined> {
    const { url, apiKey, fetch, signal } = this.#options;
    const version = params?._meta?.[versionKey] ?? this.#version;
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(typeof version === "string" && { "mcp-protocol-version": version }),
        ...(method !== undefined && { "mcp-method": method }),
        ...(typeof params?.name === "string" && { "mcp-name": params.name }),
      },
      body,
      signal: AbortSignal.any([signal, cancelled]),
    });
    const text = await response.text();
    if (text === "") return undefined;
    const received = JSON.parse(text) as Readonly<Record<string, unknown>>;
    // A refusal of the API: of the key, or of too many requests.
    if (!("jsonrpc" in received)) {
      return {
        jsonrpc: "2.0",
        id,
        error: { code: refusedCode, message: String(received.message), data: received },
      };
    }
    if (method === "initialize") this.#version = versionOf(received.result);
    return received;
  }

  #showProgress(progressToken: unknown): () => void {
    if (progressToken === undefined) return () => {};
    let progress = 0;
    return this.#options.every(progressMs, () => {
      progress += progressMs / 1_000;
      const params = { progressToken, progress, message: `under way for ${progress} s` };
      this.#options.write({ jsonrpc: "2.0", method: "notifications/progress", params });
    });
  }
}

function versionOf(result: unknown): string | undefined {
  const { protocolVersion } = (result ?? {}) as { readonly protocolVersion?: unknown };
  return typeof protocolVersion === "string" ? protocolVersion : undefined;
}
