import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { type RequestOptions, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { Clock } from "../domain/clock.ts";
import {
  type SendOutcome,
  type SendRequest,
  sendTimeoutMs,
  type WebhookSender,
} from "../domain/webhook/delivery/webhook-sender.ts";
import type { SendFailure } from "../vocabulary/events.ts";
import { isLoopback, isPublic } from "./public-address.ts";
import { signedHeaders } from "./sign.ts";

export interface HttpWebhookSenderOptions {
  readonly clock: Pick<Clock, "now">;
  /** Only the local stack sets this, which allows `http` and addresses of loopback. @default false */
  readonly allowsLoopback?: boolean;
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
  readonly timeoutMs?: number;
  /** How long the body of a response is read, within `timeoutMs`. @default 2000 */
  readonly bodyTimeoutMs?: number;
  readonly ca?: string;
}

class NoResponse extends Error {
  readonly failure: SendFailure;

  constructor(failure: SendFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** Posts only to checked addresses: each attempt resolves the name once, and every address must be public. */
export class HttpWebhookSender implements WebhookSender {
  readonly #options: HttpWebhookSenderOptions;

  constructor(options: HttpWebhookSenderOptions) {
    this.#options = options;
  }

  refusalOf(given: string): string | undefined {
    const url = URL.parse(given);
    if (url === null) return "the address is no URL";
    const { allowsLoopback = false } = this.#options;
    if (url.protocol !== "https:" && !(allowsLoopback && url.protocol === "http:")) {
      return "the address has to begin with https://";
    }
    if (url.username !== "" || url.password !== "") return "the address must not have a user or a password";
    if (url.hash !== "") return "the address must not have a fragment";
    const host = hostOf(url);
    const isLocal = /(^|\.)localhost$/.test(host) || isLoopback(host);
    if (isLocal) return allowsLoopback ? undefined : "the address is this machine's own";
    if (url.protocol === "http:") return "an address with http:// has to be this machine's own";
    const isLiteral = host.includes(":") || /^[\d.]+$/.test(host);
    return isLiteral && !isPublic(host) ? "the address is not public" : undefined;
  }

  async send(request: SendRequest): Promise<SendOutcome> {
    const startedMs = this.#options.clock.now();
    const signal = AbortSignal.timeout(this.#options.timeoutMs ?? sendTimeoutMs);
    const outcome = await this.#post(request, signal).catch((cause: unknown) => ({
      statusCode: null,
      responseBody: "",
      error: signal.aborted ? ("timeout" as const) : sendFailureOf(cause),
    }));
    return { ...outcome, durationMs: Math.max(0, Math.round(this.#options.clock.now() - startedMs)) };
  }

  async #post(request: SendRequest, signal: AbortSignal): Promise<Omit<SendOutcome, "durationMs">> {
    const url = new URL(request.url);
    if (this.refusalOf(request.url) !== undefined) throw new NoResponse("address_refused");
    const addresses = await this.#checkedAddresses(url, signal);
    const options: RequestOptions = {
      method: "POST",
      // Each post has a separate connection, because a kept one may lead to an address checked for another name.
      agent: false,
      lookup: lookupIn(addresses),
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(request.body),
        "user-agent": "desktop-automation-service-webhooks",
        ...signedHeaders(request, this.#options.clock.now()),
      },
      ...(this.#options.ca !== undefined && { ca: this.#options.ca }),
    };
    return await new Promise((resolve, reject) => {
      const send = url.protocol === "https:" ? requestHttps : process.getBuiltinModule("node:http").request;
      const sent = send(url, options, (response) => {
        const { statusCode = 0 } = response;
        const parts: Buffer[] = [];
        let left = request.keptBytes;
        const done = () => {
          clearTimeout(bodyTimer);
          const responseBody = Buffer.concat(parts).toString("utf8");
          resolve({ statusCode, error: null, responseBody });
          sent.destroy();
        };
        const bodyTimer = setTimeout(done, this.#options.bodyTimeoutMs ?? 2_000);
        // The rest of a body, and whether it ends, does not matter.
        response.on("error", done).on("end", done).on("close", done);
        sent.off("error", reject).on("error", done);
        signal.addEventListener("abort", done);
        if (left === 0) return done();
        response.on("data", (part: Buffer) => {
          parts.push(part.subarray(0, left));
          left -= Math.min(left, part.length);
          if (left === 0) done();
        });
      });
      sent.on("error", reject);
      signal.addEventListener("abort", () => sent.destroy(new NoResponse("timeout")));
      sent.end(request.body);
    });
  }

  async #checkedAddresses(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const { resolve = resolveAll, allowsLoopback = false } = this.#options;
    const addresses = await Promise.race([
      resolve(hostOf(url)).catch(() => [] as LookupAddress[]),
      new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new NoResponse("timeout")));
      }),
    ]);
    if (addresses.length === 0) throw new NoResponse("name_not_resolved");
    const isAllowed = ({ address }: LookupAddress) =>
      url.protocol === "https:"
        ? isPublic(address) || (allowsLoopback && isLoopback(address))
        : allowsLoopback && isLoopback(address);
    if (!addresses.every(isAllowed)) throw new NoResponse("address_refused");
    return addresses;
  }
}

async function resolveAll(name: string): Promise<readonly LookupAddress[]> {
  return await lookup(name, { all: true });
}

/** Returns the host without the brackets of an IPv6 address, and without the dot that may end a name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

/** Returns the checked addresses, whatever the name. */
function lookupIn(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function sendFailureOf(cause: unknown): SendFailure {
  if (cause instanceof NoResponse) return cause.failure;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code) ? "tls_failed" : "connection_failed";
}
