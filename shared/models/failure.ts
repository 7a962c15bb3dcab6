import * as z from "zod";
import type { ModelFailure } from "../domain/model/language-models.ts";

const errorLengthMax = 500;
/** Shorter values are not keys, and occur within words. */
const secretLengthMin = 8;

/** An exchange contains nothing of the request. */
export interface Exchange {
  /** Undefined when no reply came. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** Undefined when the body broke off, or is longer than the limit. */
  readonly body: string | undefined;
  readonly isTooLong: boolean;
}

export class ModelFailedError extends Error {
  readonly failure: ModelFailure;

  constructor(reason: ModelFailure["reason"], error: string) {
    super(error);
    this.failure = failed(reason, error);
  }
}

export function failed(
  reason: ModelFailure["reason"],
  error: string,
  retryAfterMs: number | null = null,
): ModelFailure {
  return { kind: "failed", reason, error: error.slice(0, errorLengthMax), retryAfterMs, usage: null };
}

/** The providers' error bodies share these fields, as the packages of `test/support/providers/README.md` read them. */
const text = z.string().optional().catch(undefined);
const ErrorBody = z.object({
  error: z
    .union([
      z.object({
        message: text,
        type: text,
        code: text,
        status: text,
        details: z
          .array(z.looseObject({ reason: text, retryDelay: text }))
          .optional()
          .catch(undefined),
      }),
      // The body of Google's token address.
      z.string().transform((code) => ({
        code,
        message: undefined,
        type: undefined,
        status: undefined,
        details: undefined,
      })),
    ])
    .optional()
    .catch(undefined),
  error_description: text,
  message: text,
  __type: text,
});

/** These codes concern the key whatever the status: Google and the token's address send 400. */
const keyCodes: ReadonlySet<string> = new Set([
  "authentication_error",
  "invalid_api_key",
  "API_KEY_INVALID",
  "UNAUTHENTICATED",
  "UnrecognizedClientException",
  "InvalidSignatureException",
  "IncompleteSignatureException",
  "ExpiredTokenException",
  "invalid_grant",
  "invalid_client",
  "unauthorized_client",
]);

/** OpenAI also sends the first with 403, for a model that the project may not use. */
const modelCodes: ReadonlySet<string> = new Set([
  "model_not_found",
  "NOT_FOUND",
  "not_found_error",
  "ResourceNotFoundException",
]);

/** Waiting does not restore the account's credit. */
const paymentCodes: ReadonlySet<string> = new Set(["insufficient_quota", "billing_error"]);

/** Bedrock has no code of its own for these errors. */
const modelWords = /model identifier is invalid|access to the model with the specified model id/i;

/** @param secrets are the values of the key, which a provider may repeat in its words. */
export function failureOf(exchange: Exchange, secrets: readonly string[]): ModelFailure {
  const { status } = exchange;
  if (exchange.isTooLong) return failed("unavailable", "the provider's reply is too long");
  if (status === undefined) return failed("unavailable", "the provider cannot be reached");
  if (exchange.body === undefined) return failed("unavailable", "the provider's reply broke off");
  if (status < 400) return failed("unavailable", "the provider's reply is not what its interface promises");
  const body = bodyOf(exchange.body);
  const details = body.error?.details ?? [];
  const codes = [
    body.error?.code,
    body.error?.type,
    body.error?.status,
    ...details.map(({ reason }) => reason),
    body.__type?.split("#").at(-1),
    exchange.headers.get("x-amzn-errortype")?.split(":")[0],
  ];
  const has = (known: ReadonlySet<string>) => codes.some((code) => code !== undefined && known.has(code));
  const said = body.error?.message ?? body.error_description ?? body.message ?? `status ${status}`;
  const words = secrets
    .filter(({ length }) => length >= secretLengthMin)
    .reduce((left, secret) => left.replaceAll(secret, "…"), said);
  if (has(modelCodes) || status === 404 || modelWords.test(words)) return failed("model_not_found", words);
  if (has(keyCodes) || status === 401 || status === 403) return failed("key_invalid", words);
  if (has(paymentCodes)) return failed("rejected", words);
  const isPassing = status >= 500 || [408, 409, 424, 425, 429].includes(status);
  if (!isPassing) return failed("rejected", words);
  const delay = details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return failed("unavailable", words, retryAfterMs(exchange.headers, delay));
}

function bodyOf(text: string): Partial<z.infer<typeof ErrorBody>> {
  try {
    return ErrorBody.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/** @param delay is Google's, such as `12.5s`. */
function retryAfterMs(headers: Headers, delay: string | undefined): number | null {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (exact >= 0) return Math.ceil(exact);
  const after = headers.get("retry-after");
  const seconds = Number.parseFloat(after ?? delay ?? "");
  if (after !== null && /[a-z]/i.test(after)) {
    const until = Date.parse(after) - Date.now();
    return Number.isNaN(until) ? null : Math.max(0, until);
  }
  return seconds >= 0 ? Math.ceil(seconds * 1000) : null;
}
