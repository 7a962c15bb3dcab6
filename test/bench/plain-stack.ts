import { newOrganization } from "../support/stack/new-organization.ts";
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

async function spawnPlainStack(): Promise<SpawnedStack> {
  return await spawnStack({ desktop: false, timers: false });
}
