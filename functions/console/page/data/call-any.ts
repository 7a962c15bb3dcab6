import type { ApiClient } from "../../../../shared/client/api-client.ts";

/** Whoever calls it has checked the types of one operation: those of all at once are too many to compare. */
export async function callAny(
  { call }: ApiClient,
  id: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const callById = call as (id: string, input: unknown) => Promise<unknown>;
  return await callById(id, { ...(input as object | undefined), ...(signal && { signal }) });
}
