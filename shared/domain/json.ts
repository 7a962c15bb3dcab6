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

export function isTooDeep(value: unknown): boolean {
  let inside = [value];
  for (let depth = 0; inside.length > 0; depth += 1) {
    if (depth > jsonDepthMax) return true;
    inside = inside.flatMap((each): unknown[] =>
      each !== null && typeof each === "object" ? Object.values(each) : [],
    );
  }
  return false;
}
