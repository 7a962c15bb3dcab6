import type { FunctionModel } from "./application.ts";
import { TemplateError } from "./json.ts";

/** @throws {TemplateError} when the application has no function of that name, ARN or integration URI. */
export function findFunction(functions: readonly FunctionModel[], reference: string): string {
  const [, inUri] = /\/functions\/([^/]+)\/invocations$/.exec(reference) ?? [];
  const wanted = inUri ?? reference;
  const found = functions.find(
    ({ arn, name, address }) =>
      wanted === arn || wanted === name || wanted === address || wanted.startsWith(`${arn}:`),
  );
  if (found === undefined) throw new TemplateError(`the application has no function ${wanted}`);
  return found.address;
}
