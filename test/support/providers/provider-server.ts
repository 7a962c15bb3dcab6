import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";
import { RefusedRequest } from "./judge.ts";
import { PromptCache } from "./prompt-cache.ts";
import type { Decide, Ending, ErrorKind, Judged, ProviderRequest, WireFormat } from "./wire-format.ts";

export type Fault =
  | {
      readonly kind: "error";
      readonly error: ErrorKind;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The provider never replies. */
  | { readonly kind: "hang" }
  | { readonly kind: "break" }
  /** The reply never ends. */
  | { readonly kind: "endless" }
  | { readonly kind: "garbage" }
  /** The reply has this many bytes of text. */
  | { readonly kind: "large"; readonly bytes: number }
  | { readonly kind: "ending"; readonly ending: Ending };

export interface ProviderServerOptions {
  readonly format: WireFormat;
  readonly decide: Decide;
  readonly models: readonly string[];
  /** @default any free one */
  readonly port?: number | undefined;
}

export interface Remembered extends ProviderRequest {
  readonly judged: Judged | undefined;
  /** The reason for a refusal; undefined for an accepted request. */
  readonly refused: string | undefined;
}

export class ProviderServer {
  readonly requests: Remembered[] = [];
  /** The paths of all calls, refused ones too. */
  readonly paths: string[] = [];
  /** Faults of the next calls, in order; undefined lets a call succeed. */
  readonly faults: (Fault | undefined)[] = [];
  readonly tokens = { input: 0, cached: 0, resent: 0 };
  busyMs = 0;
  readonly #options: ProviderServerOptions;
  readonly #server: Server;
  readonly #cache = new PromptCache();

  constructor(options: ProviderServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(options: ProviderServerOptions): Promise<ProviderServer> {
    const server = new ProviderServer(options);
    await new Promise<void>((resolve) => server.#server.listen(options.port ?? 0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Reasons for all refusals, where a test expects none. */
  get refusals(): readonly string[] {
    return this.requests.flatMap(({ refused }) => refused ?? []);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const startedAtMs = performance.now();
    await this.#respond(incoming, Buffer.concat(chunks).toString(), response);
    this.busyMs += performance.now() - startedAtMs;
  }

  async #respond(
    { url = "", headers }: IncomingMessage,
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    const { format } = this.#options;
    const aside = format.aside?.(url, text);
    if (aside !== undefined) {
      send(response, aside);
      return;
    }
    this.paths.push(url);
    const request = { path: url, headers, text, body: JSON.parse(text) as unknown };
    const fault = this.faults.shift();
    if (!(await format.hasKey(request))) {
      this.#fail(response, request, "wrong_key", "the key is wrong");
      return;
    }
    const model = format.modelOf(request);
    if (!this.#options.models.includes(model)) {
      this.#fail(response, request, "unknown_model", `no model ${model}`);
      return;
    }
    let judged: Judged;
    try {
      judged = format.judge(request);
    } catch (error) {
      if (!(error instanceof RefusedRequest) && !(error instanceof z.ZodError)) throw error;
      const words = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
      this.requests.push({ ...request, judged: undefined, refused: words });
      send(response, format.error("invalid", words));
      return;
    }
    this.requests.push({ ...request, judged, refused: undefined });
    this.#reply(response, judged, fault);
  }

  #fail(response: ServerResponse, request: ProviderRequest, kind: ErrorKind, message: string): void {
    this.requests.push({ ...request, judged: undefined, refused: undefined });
    send(response, this.#options.format.error(kind, message));
  }

  #reply(response: ServerResponse, judged: Judged, fault: Fault | undefined): void {
    const { format, decide } = this.#options;
    switch (fault?.kind) {
      case "hang":
        return;
      case "endless": {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" "), 5);
        response.on("close", () => clearInterval(timer));
        return;
      }
      case "error": {
        const error = format.error(fault.error, fault.message ?? fault.error);
        send(response, { ...error, headers: { ...error.headers, ...fault.headers } });
        return;
      }
      case "status":
        response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
        return;
      case "garbage":
        response.writeHead(200, { "content-type": "text/html" }).end("<html>a gateway's page</html>");
        return;
    }
    const { resent, ...counted } = this.#cache.count(judged, format.cachesByMark);
    this.tokens.input += counted.input;
    this.tokens.cached += counted.cached;
    this.tokens.resent += resent;
    const decisions = fault?.kind === "large" ? [{ say: "x".repeat(fault.bytes) }] : decide(judged.seen);
    const ending = fault?.kind === "ending" ? fault.ending : undefined;
    const body = JSON.stringify(format.reply(decisions, judged, { ...counted, output: 40 }, ending));
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    if (fault?.kind === "break") response.write(body.slice(0, body.length / 2), () => response.destroy());
    else response.end(body);
  }
}

function send(response: ServerResponse, { status, headers, body }: ReturnType<WireFormat["error"]>): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
