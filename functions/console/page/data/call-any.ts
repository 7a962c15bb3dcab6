import type { ApiClient } from "../../../../shared/client/api-client.ts";

export interface Tagged<Body> {
  readonly body: Body;
  readonly etag: string;
}

/** Callers have checked the types of one operation: those of all at once are too many to compare. */
export async function callAny(
  { call }: ApiClient,
  id: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const callById = call as (id: string, input: unknown) => Promise<unknown>;
  return await callById(id, { ...(input as object | undefined), ...(signal && { signal }) });
}

export async function callAnyTagged(
  { callTagged }: ApiClient,
  id: string,
  input: unknown,
  signal: AbortSignal,
): Promise<Tagged<unknown>> {
  const callById = callTagged as (id: string, input: unknown) => Promise<Tagged<unknown>>;
  return await callById(id, { ...(input as object), signal });
}
