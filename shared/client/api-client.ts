import { type CalledOperation, calledOperations } from "../contract/operations/called-operations.ts";
import type { HttpMethod } from "../vocabulary/methods.ts";
import { ApiUnreachable, apiErrorOf, retryAfterOf } from "./api-error.ts";
import { addressOf, type RequestParts } from "./build-request.ts";
import type {
  CallArguments,
  CallResponse,
  ConditionalArguments,
  ConditionalOperationId,
  OperationId,
  TaggedOperationId,
} from "./call-types.ts";
import { type RunsClient, runsClient } from "./follow-run.ts";
import { defaultRetrySettings, type RetryDeps, type RetrySettings, repeatedly } from "./retry-policy.ts";

export interface ApiClientOptions extends Partial<RetrySettings> {
  readonly baseUrl: string;
  /** An API key, or the token of a dashboard session; absent for public operations. */
  readonly credentials?: string | undefined;
  /** Bounds one attempt; the service responds within 30 s. @default 35,000 */
  readonly attemptMs?: number;
  readonly fetch?: typeof fetch;
  readonly pause?: (ms: number) => Promise<void>;
  readonly random?: () => number;
  readonly now?: () => number;
  readonly newIdempotencyKey?: () => string;
}

export interface ApiClient {
  readonly runs: RunsClient;
  /**
   * Retries where that is safe: reads, and writes under an Idempotency-Key (generated where none is given), after 429,
   * 502, 503, 504 and a failed connection; as often as the time allows while an earlier attempt is being processed (409
   * `request_in_progress`); never after `outcome_unknown`.
   *
   * @throws {ApiError} the last response, if it is not a success.
   * @throws {ApiUnreachable} when no response came.
   */
  call<const Id extends OperationId>(id: Id, ...args: CallArguments<Id>): Promise<CallResponse<Id>>;
  /** As `call`, with the resource's `ETag`: a write with it as `ifMatch` fails if somebody else has written meanwhile. */
  callTagged<const Id extends TaggedOperationId>(
    id: Id,
    ...args: CallArguments<Id>
  ): Promise<{ readonly body: CallResponse<Id>; readonly etag: string }>;
  /**
   * As `call`, for an operation that names what it returns by an `ETag`: there is no body when nothing differs from what
   * `ifNoneMatch` names. To follow a machine's screen, call `takeScreenshot` again and again with `wait_ms` and the last
   * `etag`; `retryAfterSeconds` says that the call did not wait, and how long to pause.
   */
  callIfChanged<const Id extends ConditionalOperationId>(
    id: Id,
    ...args: ConditionalArguments<Id>
  ): Promise<{
    readonly body: CallResponse<Id> | undefined;
    readonly etag: string | undefined;
    readonly retryAfterSeconds: number | undefined;
  }>;
  /**
   * Any request of the service, also one that this release does not know, for programs whose user names it. The type of
   * the response's content decides whether its body is JSON, bytes, or none.
   */
  request(
    method: HttpMethod,
    path: string,
    input?: Pick<AnyInput, "body" | "ifMatch" | "signal">,
  ): Promise<unknown>;
}

interface AnyInput extends RequestParts {
  readonly idempotencyKey?: string | false;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Without `reads` the content's type decides. */
type SentOperation = Pick<CalledOperation, "method" | "path"> & Partial<Pick<CalledOperation, "reads">>;

interface Success {
  readonly body: unknown;
  readonly etag: string | null;
  readonly retryAfterSeconds: number | undefined;
}

export function retriesOf(options: ApiClientOptions): RetryDeps {
  return {
    attemptsMax: options.attemptsMax ?? defaultRetrySettings.attemptsMax,
    totalMs: options.totalMs ?? defaultRetrySettings.totalMs,
    pause: options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
  };
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const retries = retriesOf(options);
  const { pause } = retries;
  const send = options.fetch ?? fetch;
  const newKey = options.newIdempotencyKey ?? (() => crypto.randomUUID());
  const { credentials, attemptMs = 35_000 } = options;

  return {
    call: async (id, ...args) => (await callById(id, args)).body as CallResponse<typeof id>,
    runs: runsClient({
      call: async (id, input) => {
        const { body, retryAfterSeconds } = await callById(id, [input]);
        return { body: body as CallResponse<typeof id>, retryAfterSeconds };
      },
      pause,
      attemptMs,
    }),
    request: async (method, path, input = {}) =>
      (await callRepeatedly({ method, path: path.replaceAll("{", "%7B") }, input)).body,
    callTagged: async (id, ...args) => {
      const { body, etag } = await callById(id, args);
      return { body: body as CallResponse<typeof id>, etag: String(etag) };
    },
    callIfChanged: async (id, ...args) => {
      const { body, etag, retryAfterSeconds } = await callById(id, args);
      return {
        body: body as CallResponse<typeof id> | undefined,
        etag: etag ?? args[0].ifNoneMatch,
        retryAfterSeconds,
      };
    },
  };

  async function callById(id: OperationId, args: readonly unknown[]): Promise<Success> {
    const operation = calledOperations[id];
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    const [input = {}] = args as readonly [AnyInput?];
    return await callRepeatedly(operation, input);
  }

  async function callRepeatedly(operation: SentOperation, input: AnyInput): Promise<Success> {
    const isWrite = operation.method !== "GET";
    const key = isWrite ? (input.idempotencyKey ?? newKey()) : false;
    const address = addressOf(options.baseUrl, operation.path, input);
    const attempt = async () => await attemptOnce(address, operation, input, key);
    return isWrite && key === false ? await attempt() : await repeatedly(attempt, retries, input.signal);
  }

  async function attemptOnce(
    address: string,
    operation: SentOperation,
    input: AnyInput,
    key: string | false,
  ): Promise<Success> {
    // A caller's mistake is thrown as it is: only a failed connection is tried again.
    const body = input.body === undefined || isForm(input.body) ? input.body : JSON.stringify(input.body);
    const timeout = AbortSignal.timeout(attemptMs);
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await send(address, {
        method: operation.method,
        headers: {
          ...(credentials === undefined ? {} : { authorization: `Bearer ${credentials}` }),
          ...(key === false ? {} : { "idempotency-key": key }),
          ...(input.ifMatch === undefined ? {} : { "if-match": input.ifMatch }),
          ...(input.ifNoneMatch === undefined ? {} : { "if-none-match": input.ifNoneMatch }),
          // A form names its own type, with the boundary of its parts.
          ...(input.body === undefined || isForm(input.body) ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body }),
        signal: input.signal === undefined ? timeout : AbortSignal.any([timeout, input.signal]),
      });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new ApiUnreachable(cause);
    }
    const isUnchanged = response.status === 304 && input.ifNoneMatch !== undefined;
    if (!response.ok && !isUnchanged) throw apiErrorOf(response, new TextDecoder().decode(bytes));
    return {
      body: bodyOf(operation, response, bytes),
      etag: response.headers.get("etag"),
      retryAfterSeconds: retryAfterOf(response),
    };
  }
}

function bodyOf({ reads }: SentOperation, { status, headers }: Response, bytes: Uint8Array): unknown {
  const read = reads === undefined ? readOf(headers.get("content-type")) : reads[status];
  return read === "json" ? JSON.parse(new TextDecoder().decode(bytes)) : read && bytes;
}

function isForm(body: unknown): body is FormData {
  return body instanceof FormData;
}

function readOf(contentType: string | null): "json" | "bytes" | undefined {
  if (contentType === null) return undefined;
  return /^application\/(\w+\+)?json\b/.test(contentType) ? "json" : "bytes";
}
