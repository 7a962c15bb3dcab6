import { createServer } from "node:net";
import type { TestProject } from "vitest/node";
import { type StackAddresses, spawnStack } from "./spawn-stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    stack: StackAddresses;
    modelsPort: number;
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
  const modelsPort = await freePort();
  const url = `http://127.0.0.1:${modelsPort}`;
  // No test calls a real provider.
  const endpoints = { anthropic: url, openai: url, google: url, vertex: url, bedrock: url, googleToken: url };
  const variables = { MODEL_ENDPOINTS: JSON.stringify(endpoints) };
  const { stop, kill: _, ...addresses } = await spawnStack({ desktop: false, timers: false, variables });
  vitest.provide("stack", addresses);
  vitest.provide("modelsPort", modelsPort);
  return stop;
}

/** The port is below those that the system gives to connections, so that it stays free. */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  return isFree ? port : await freePort();
}
