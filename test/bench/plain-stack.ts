import { type SpawnedStack, spawnStack } from "../support/stack/spawn-stack.ts";
import { isSmoke } from "./sized.ts";

let shared: Promise<SpawnedStack> | undefined;

/** A stack without a desktop, in a smoke one for all measurements, each of which has an organization of its own. */
export async function openPlainStack(): Promise<SpawnedStack> {
  if (!isSmoke) return await spawnPlainStack();
  shared ??= spawnPlainStack();
  const stack = await shared;
  return { ...stack, apiKey: await newOrganization(stack), stop: async () => undefined };
}

export async function stopSharedStack(): Promise<void> {
  await (await shared)?.stop();
}

/** @returns a key of a fresh organization. */
export async function newOrganization({ controlUrl, controlToken }: SpawnedStack): Promise<string> {
  const response = await fetch(`${controlUrl}/organizations`, {
    method: "POST",
    headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json" },
    body: "{}",
  });
  const { api_keys: keys } = (await response.json()) as { api_keys: Record<string, string> };
  return keys.full ?? "";
}

async function spawnPlainStack(): Promise<SpawnedStack> {
  return await spawnStack({ desktop: false, timers: false });
}
