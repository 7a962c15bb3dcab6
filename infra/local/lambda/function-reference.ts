import { AwsError } from "../aws/aws-error.ts";
import type { FunctionModel } from "../template/application.ts";

export interface FunctionReference {
  readonly name: string;
  readonly qualifier: string | undefined;
}

const form =
  /^(?:arn:[^:]+:lambda:[^:]+:)?(?:\d{12}:)?(?:function:)?([a-zA-Z0-9_-]+)(?::([a-zA-Z0-9_$-]+))?$/;

export function parseFunctionReference(text: string, qualifier: string | undefined): FunctionReference {
  const [, name, behind] = form.exec(text) ?? [];
  if (name === undefined || (behind !== undefined && qualifier !== undefined && behind !== qualifier)) {
    throw new AwsError(400, "InvalidParameterValueException", `not a function: ${text} ${qualifier ?? ""}`);
  }
  return { name, qualifier: qualifier ?? behind };
}

export function versionOf(fn: FunctionModel, qualifier: string | undefined): string {
  if (qualifier === undefined || qualifier === "$LATEST") return "$LATEST";
  const version = fn.aliases[qualifier] ?? fn.versions.find((each) => each === qualifier);
  if (version !== undefined) return version;
  throw new AwsError(404, "ResourceNotFoundException", `Function not found: ${fn.arn}:${qualifier}`);
}
