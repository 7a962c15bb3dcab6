export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** CloudFormation and IAM read a single value as a list of one. */
export function asList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function asString(value: Json | undefined, where: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TemplateError(`${where}: expected a string, found ${JSON.stringify(value)}`);
}

export function optionalString(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** CloudFormation accepts numbers and booleans as strings, too. */
export function optionalNumber(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  return undefined;
}

export function optionalBoolean(value: Json | undefined): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === "true") return true;
  if (value === "false") return false;
  return undefined;
}

export class TemplateError extends Error {
  override readonly name = "TemplateError";
}
