import type { TestProject } from "vitest/node";
import { type StackAddresses, spawnStack } from "./spawn-stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    stack: StackAddresses;
  }
}

/** One stack for all end-to-end tests, each of which makes an organization of its own. Schedules run when told. */
export default async function setUpStack(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...addresses } = await spawnStack({ desktop: false, timers: false });
  project.provide("stack", addresses);
  return stop;
}
