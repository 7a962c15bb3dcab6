import type { IncomingHttpHeaders } from "node:http";
import { AwsError } from "../aws-error.ts";
import type { Answer } from "../service-call.ts";

/** The bucket's one rule; its headers are `*`, which allows those that are requested. */
export interface BucketCors {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly maxAgeSeconds: number;
}

/**
 * A preflight is unsigned.
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html
 *
 * @throws {AwsError} AccessForbidden
 */
export function answerPreflight(cors: BucketCors | undefined, headers: IncomingHttpHeaders): Answer {
  const { "access-control-request-method": method, "access-control-request-headers": asked } = headers;
  const allowed = originHeaders(cors, headers);
  if (cors === undefined || allowed === undefined || !cors.allowMethods.includes(method ?? "")) {
    throw new AwsError(403, "AccessForbidden", "CORSResponse: This CORS request is not allowed.");
  }
  return {
    status: 200,
    headers: {
      ...allowed,
      "access-control-allow-methods": cors.allowMethods.join(", "),
      ...(asked === undefined ? {} : { "access-control-allow-headers": asked }),
      "access-control-max-age": String(cors.maxAgeSeconds),
    },
  };
}

/** @returns undefined for an origin that no rule names. */
export function originHeaders(
  cors: BucketCors | undefined,
  { origin }: IncomingHttpHeaders,
): Readonly<Record<string, string>> | undefined {
  if (cors === undefined || origin === undefined || !cors.allowOrigins.includes(origin)) return undefined;
  return { "access-control-allow-origin": origin };
}
