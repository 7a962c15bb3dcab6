import { AwsError } from "./aws-error.ts";
import type { Answer, OperationSource } from "./service-call.ts";

/** The operation of an AWS JSON call: what follows the dot of `X-Amz-Target`. */
export function operationOfTarget(request: OperationSource): string {
  const target = request.headers["x-amz-target"];
  const operation = typeof target === "string" ? target.split(".").at(-1) : undefined;
  if (!operation) throw new AwsError(400, "UnknownOperationException", "the request has no X-Amz-Target");
  return operation;
}

export function jsonAnswer(body: unknown, version: "1.0" | "1.1"): Answer {
  return {
    status: 200,
    headers: { "content-type": `application/x-amz-json-${version}` },
    body: JSON.stringify(body),
  };
}

/** An error as the AWS JSON protocols carry it. */
export function presentJsonError(error: AwsError, namespace: string, version: "1.0" | "1.1"): Answer {
  return {
    status: error.status,
    headers: { "content-type": `application/x-amz-json-${version}` },
    body: JSON.stringify({
      __type: namespace === "" ? error.code : `${namespace}#${error.code}`,
      message: error.message,
      Message: error.message,
      ...error.fields,
    }),
  };
}

/** @throws {AwsError} SerializationException when the body is no JSON object. */
export function parseJsonBody(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch {
    // Answered below, in the same words as a body that is JSON but no object.
  }
  throw new AwsError(400, "SerializationException", "the body is no JSON object");
}
