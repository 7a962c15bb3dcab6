import type { TestProject } from "vitest/node";
import { type StackAddresses, spawnStack } from "./spawn-stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    stack: StackAddresses;
  }
}

/**
 * One stack for all end-to-end tests, of both projects; each test makes an organization of its own. Schedules run when
 * told.
 */
export default async function setUpStack({
  vitest,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (vitest.getRootProject().getProvidedContext().stack !== undefined) return undefined;
  const { stop, ...addresses } = await spawnStack({ desktop: false, timers: false });
  vitest.provide("stack", addresses);
  return stop;
}
