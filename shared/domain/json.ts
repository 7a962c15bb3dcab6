import { jsonDepthMax } from "../vocabulary/json.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** Returns false for null and lists. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Allocates nothing: a list of tens of thousands of objects would leave as many lists to collect. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (depth > jsonDepthMax) return true;
  if (Array.isArray(value)) return value.some((each) => isTooDeep(each, depth + 1));
  if (value === null || typeof value !== "object") return false;
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], depth + 1)) return true;
  return false;
}
