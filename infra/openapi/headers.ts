import type { oas32 } from "zod-openapi";

export const responseHeaders = {
  "X-Request-Id": {
    description:
      "Names the request in the service's log. Absent from responses that API Gateway makes itself.",
    schema: { type: "string" },
    example: "JKJaXmPLvHcESHA=",
  },
  "Retry-After": {
    description: "Seconds after which to retry.",
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
  "Idempotency-Status": {
    description:
      "`replayed`: the original response to the first request under this Idempotency-Key. `in_progress` (409): that request is still being processed. Absent: this was the first.",
    schema: { type: "string", enum: ["replayed", "in_progress"] },
  },
  "X-RateLimit-Limit": {
    description:
      "Requests of this API key in a window of 60 seconds. Only where API keys are limited, never for sessions.",
    schema: { type: "integer", minimum: 1 },
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in the window. Only where API keys are limited.",
    schema: { type: "integer", minimum: 0 },
  },
  "X-RateLimit-Reset": {
    description: "Seconds until the window ends. Only where API keys are limited.",
    schema: { type: "integer", minimum: 0 },
  },
  "RateLimit-Policy": {
    description:
      'The limits that count requests like this one, with their quota (`q`) and window in seconds (`w`), as a structured field of draft-ietf-httpapi-ratelimit-headers-11: `"api-key"`, and `"api-keys"` where a deployment limits all keys of an organization together; `"api-key-clean-up"` and `"api-keys-clean-up"` for requests that end things. Only where API keys are limited.',
    schema: { type: "string" },
    example: '"api-key";q=600;w=60',
  },
  RateLimit: {
    description:
      "The requests left (`r`) under each limit that counted this request, and the seconds until its window ends (`t`), as a structured field of draft-ietf-httpapi-ratelimit-headers-11. Only where API keys are limited.",
    schema: { type: "string" },
    example: '"api-key";r=599;t=42',
  },
  ETag: {
    description:
      "The resource's revision as people have edited it, for `If-Match`: each write of theirs changes it; pings, runs and what else happens by itself do not. So it says nothing of fields like `status` or `last_seen`.",
    schema: { type: "string" },
    example: '"7"',
  },
  "WWW-Authenticate": {
    description: "RFC 6750's challenge.",
    schema: { type: "string" },
    example: 'Bearer error="invalid_token"',
  },
} as const satisfies Record<string, oas32.HeaderObject>;

export type ResponseHeader = keyof typeof responseHeaders;

export function headerRefs(...names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const rateLimitHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
] as const;
