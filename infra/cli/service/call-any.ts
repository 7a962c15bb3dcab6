import type { ApiClient } from "../../../shared/client/api-client.ts";

/** The command's own description of the operation stands for its types. */
export async function callAny(
  { call }: Pick<ApiClient, "call">,
  id: string,
  input: object,
  signal: AbortSignal,
): Promise<unknown> {
  const callById = call as (id: string, input: object) => Promise<unknown>;
  return await callById(id, { ...input, signal });
}
