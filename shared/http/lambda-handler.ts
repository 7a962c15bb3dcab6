import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { Hono } from "hono";
import { EdgeHeader } from "../contract/edge.ts";
import { DomainError } from "../domain/errors.ts";
import { type OriginVerifier, viewerAddress } from "./edge.ts";
import { errorBody, statusOf } from "./errors/error-response.ts";
import type { AppDeps } from "./http-deps.ts";
import type { HttpEnv } from "./http-env.ts";
import { PlainHeaders, PlainRequest } from "./plain-messages.ts";
import { safeHeaders } from "./safe-headers.ts";

/**
 * The largest response, in bytes: a Lambda's 6 MB (6,291,556 bytes) less room for its envelope.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const responseBytesMax = 6_200_000;

export type LambdaHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Replaces `hono/aws-lambda`, which drops empty headers (an empty Idempotency-Key would count as none), responds to a
 * GET with a body in plain text, and lets a response above the limit fail in Lambda.
 */
export function lambdaHandler(
  app: Pick<Hono<HttpEnv>, "fetch">,
  deps: AppDeps & { readonly origin?: OriginVerifier | undefined },
): LambdaHandler {
  return async (event) => {
    const { requestId, http } = event.requestContext;
    let request: Request;
    let sourceAddress = http.sourceIp;
    try {
      if (deps.origin !== undefined) sourceAddress = await viewerAddress(deps.origin, event.headers);
      request = requestOf(event);
    } catch (cause) {
      if (cause instanceof DomainError) return presentFailure(cause, deps, requestId);
      const error = new DomainError("bad_request", "the request line or a header cannot be read", { cause });
      return presentFailure(error, deps, requestId);
    }
    const result = await resultOf(await app.fetch(request, { requestId, sourceAddress }));
    if (fitsResponse(result)) return result;
    const error = new DomainError(
      "answer_too_large",
      "the response is larger than the 6 MB that can be sent; request less, for example with a lower limit",
    );
    deps.logger.warn("response too large", { request_id: requestId });
    return presentFailure(error, deps, requestId);
  };
}

function requestOf(event: APIGatewayProxyEventV2): Request {
  const { method } = event.requestContext.http;
  const query = event.rawQueryString === "" ? "" : `?${event.rawQueryString}`;
  const url = `https://${event.requestContext.domainName}${event.rawPath}${query}`;
  const headers = new PlainHeaders();
  for (const [name, value] of Object.entries(event.headers)) {
    if (value !== undefined && name !== EdgeHeader.originSecret) headers.set(name, value);
  }
  const takesBody = method !== "GET" && method !== "HEAD" && event.body !== undefined;
  const text = takesBody ? (event.body ?? "") : null;
  const body = text !== null && event.isBase64Encoded ? Buffer.from(text, "base64") : text;
  return new PlainRequest(url, { method, headers, body }) as unknown as Request;
}

async function resultOf(response: Response): Promise<APIGatewayProxyStructuredResultV2> {
  const headers = Object.fromEntries(response.headers);
  const contentType = response.headers.get("content-type") ?? "";
  const isCompressed = response.headers.has("content-encoding");
  const isText = !isCompressed && (contentType === "" || /^text\/|\/(?:[\w.-]+\+)?json\b/i.test(contentType));
  const body = isText ? await response.text() : Buffer.from(await response.arrayBuffer()).toString("base64");
  return { statusCode: response.status, headers, body, isBase64Encoded: !isText };
}

/** A character takes at most six bytes when escaped and in UTF-8, so only long bodies are measured. */
function fitsResponse(result: APIGatewayProxyStructuredResultV2): boolean {
  const length = result.body?.length ?? 0;
  return length < responseBytesMax / 6 || Buffer.byteLength(JSON.stringify(result)) <= responseBytesMax;
}

function presentFailure(
  error: DomainError,
  deps: AppDeps,
  requestId: string,
): APIGatewayProxyStructuredResultV2 {
  const { loggedCode, cause, retryAfterSeconds } = error;
  const statusCode = statusOf(error);
  if (statusCode >= 500 && cause !== undefined) {
    const facts = { request_id: requestId, error_code: loggedCode, cause };
    deps.logger.warn("request failed for a known reason", facts);
  }
  return {
    statusCode,
    headers: {
      ...safeHeaders,
      "content-type": "application/json",
      "x-request-id": requestId,
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    },
    body: JSON.stringify(errorBody(error, deps.clock.now())),
    isBase64Encoded: false,
  };
}
