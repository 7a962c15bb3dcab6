import type { IncomingHttpHeaders } from "node:http";
import { AwsError } from "../aws-error.ts";
import { matchesGlob } from "../glob.ts";
import type { Answer } from "../service-call.ts";

/** The bucket's one rule; its headers are `*`, which allows those that are requested. */
export interface BucketCors {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly maxAgeSeconds: number;
}

type Headers = Readonly<Record<string, string>>;

/**
 * A preflight is unsigned.
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/RESTOPTIONSobject.html
 *
 * @throws {AwsError} BadRequest, AccessForbidden
 */
export function answerPreflight(cors: BucketCors | undefined, headers: IncomingHttpHeaders): Answer {
  const { "access-control-request-method": method, "access-control-request-headers": asked } = headers;
  if (headers.origin === undefined) {
    throw new AwsError(400, "BadRequest", "Insufficient information. Origin request header needed.");
  }
  if (cors === undefined) {
    throw new AwsError(403, "AccessForbidden", "CORSResponse: CORS is not enabled for this bucket.");
  }
  const allowed = corsHeaders(cors, method, headers);
  if (allowed === undefined) {
    throw new AwsError(403, "AccessForbidden", "CORSResponse: This CORS request is not allowed.");
  }
  return {
    status: 200,
    headers: { ...allowed, ...(asked === undefined ? {} : { "access-control-allow-headers": asked }) },
  };
}

/**
 * A rule has to allow both origin and method.
 *
 * @returns undefined where no rule does.
 */
export function corsHeaders(
  cors: BucketCors | undefined,
  method: string | undefined,
  { origin }: IncomingHttpHeaders,
): Headers | undefined {
  if (cors === undefined || origin === undefined || !cors.allowMethods.includes(method ?? ""))
    return undefined;
  const rule = cors.allowOrigins.find((allowed) => matchesGlob(allowed, origin));
  if (rule === undefined) return undefined;
  return {
    // Only a rule for all origins is returned as it stands, and allows no credentials.
    ...(rule === "*"
      ? { "access-control-allow-origin": rule }
      : { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" }),
    "access-control-allow-methods": cors.allowMethods.join(", "),
    "access-control-max-age": String(cors.maxAgeSeconds),
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}
