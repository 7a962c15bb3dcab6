import { AwsError } from "./aws-error.ts";
import type { Answer, OperationSource } from "./service-call.ts";

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

/** @throws {AwsError} SerializationException when the body is not a JSON object. */
export function parseJsonBody(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch {
    // The error below covers both invalid JSON and JSON that is not an object.
  }
  throw new AwsError(400, "SerializationException", "the body is no JSON object");
}
