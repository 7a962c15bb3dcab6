import { isHopByHop } from "./request-facts.ts";

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

export function gatewayResponse(status: number, message: string): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/**
 * Returns undefined for a malformed response.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 * and AWS's own tests, https://github.com/aws/aws-lambda-dotnet/tree/master/Tools/LambdaTestTool-v2
 */
export function answerOf(payload: unknown): HttpResponse | undefined {
  if (!isRecord(payload) || payload.statusCode === undefined) {
    const body = Buffer.from(JSON.stringify(payload ?? null));
    return { status: 200, headers: { "content-type": "application/json" }, body };
  }
  const status = payload.statusCode;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 200 || status > 599)
    return undefined;
  const headers = headersOf(payload.headers);
  const cookies = cookiesOf(payload.cookies);
  const body = bodyOf(payload.body, payload.isBase64Encoded);
  if (headers === undefined || cookies === undefined || body === undefined) return undefined;
  headers["content-type"] ??= "text/plain; charset=utf-8";
  return {
    status,
    headers: cookies.length > 0 ? { ...headers, "set-cookie": cookies } : headers,
    body,
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function headersOf(given: unknown): Record<string, string> | undefined {
  if (given === undefined || given === null) return {};
  if (!isRecord(given)) return undefined;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (value === null || isHopByHop(lower) || lower === "content-length") continue;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
      return undefined;
    headers[lower] = String(value);
  }
  return headers;
}

function cookiesOf(given: unknown): string[] | undefined {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) && given.every((cookie) => typeof cookie === "string") ? given : undefined;
}

function bodyOf(given: unknown, isBase64Encoded: unknown): Buffer | undefined {
  if (given === undefined || given === null) return Buffer.alloc(0);
  if (typeof given !== "string") return undefined;
  return Buffer.from(given, isBase64Encoded === true ? "base64" : "utf8");
}
