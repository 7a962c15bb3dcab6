import type { SpawnedStack } from "./spawn-stack.ts";

/** @returns a key of a fresh organization. */
export async function newOrganization({
  controlUrl,
  controlToken,
}: Pick<SpawnedStack, "controlUrl" | "controlToken">): Promise<string> {
  const response = await fetch(`${controlUrl}/organizations`, {
    method: "POST",
    headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json" },
    body: "{}",
  });
  const { api_keys: keys } = (await response.json()) as { api_keys: Record<string, string> };
  return keys.full ?? "";
}
