import { errorCodes } from "../../shared/contract/errors.ts";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { errorMeanings, errorStatuses } from "../../shared/vocabulary/error-codes.ts";

/** `meaning` is set only where it says more than the status. */
export interface Refusal {
  readonly status: number;
  readonly meaning?: string;
}

/** Writes accept an Idempotency-Key. */
export function isWrite({ method }: Operation): boolean {
  return method !== "GET";
}

export function refusalsOf(operation: Operation): readonly Refusal[] {
  const meanings = new Map<number, string | undefined>();
  for (const status of statusesByShape(operation)) meanings.set(status, undefined);
  for (const [status, meaning] of Object.entries(operation.refusals ?? {})) {
    meanings.set(Number(status), meaning);
  }
  return [...meanings]
    .sort(([a], [b]) => a - b)
    .map(([status, meaning]) => (meaning === undefined ? { status } : { status, meaning }));
}

function statusesByShape(operation: Operation): readonly number[] {
  const { access, pathParameters, body, form, isTunnelled, takesIfMatch } = operation;
  return [
    ...[400, 429, 431, 500, 503],
    ...(access === "public" ? [] : [401, 403, 422]),
    ...(pathParameters === undefined ? [] : [404, 422]),
    ...(takesIfMatch === true ? [412] : []),
    ...(body === undefined && form === undefined ? [] : [413]),
    ...(isWrite(operation) ? [409] : []),
    ...(isTunnelled === true ? [409, 413, 429, 502, 504] : []),
  ];
}

export function codesOf(status: number): string {
  return errorCodes
    .filter((code) => errorStatuses[code] === status)
    .map((code) => `- \`${code}\`: ${errorMeanings[code]}`)
    .join("\n");
}
