import { askRaw, type DemoApi } from "./demo-api.ts";

/** A stack that was killed leaves its description behind. @throws {Error} one sentence that says what to do. */
export async function requireStack(api: DemoApi, machineId: string): Promise<void> {
  const response = await askRaw(api, "GET", `/v1/machines/${machineId}`).catch((cause: unknown) => {
    const sentence = `nothing answers at ${api.baseUrl}, which .local/stack.json names: start the service with "npm start"`;
    throw new Error(sentence, { cause });
  });
  if (response.ok) return;
  throw new Error(
    `the service at ${api.baseUrl} is not the one that .local/stack.json describes: stop it, or start this one on a port of its own, "npm start -- --port 8081"`,
  );
}
