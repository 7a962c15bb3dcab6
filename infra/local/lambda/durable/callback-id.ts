import { AwsError } from "../../aws/aws-error.ts";

/** AWS has opaque texts in base64, by which it finds the execution. */
export function callbackIdOf(executionArn: string, operationId: string): string {
  return Buffer.from(JSON.stringify([executionArn, operationId])).toString("base64");
}

/** @throws {AwsError} for a text that is no callback's id. */
export function readCallbackId(id: string): { readonly arn: string; readonly operationId: string } {
  try {
    const [arn, operationId] = JSON.parse(Buffer.from(id, "base64").toString("utf8")) as readonly unknown[];
    if (typeof arn === "string" && typeof operationId === "string") return { arn, operationId };
  } catch {
    // The error below says it.
  }
  throw new AwsError(400, "InvalidParameterValueException", "Invalid callback id.");
}
