import { ApiUnreachable } from "../../../shared/client/api-error.ts";
import { type DemoApi, demoClient } from "./demo-client.ts";

/** A stack that was killed leaves its description behind. @throws {Error} one sentence that says what to do. */
export async function requireStack(api: DemoApi, machineId: string): Promise<void> {
  try {
    await demoClient(api, { attemptsMax: 1 }).call("getMachine", { path: { machine_id: machineId } });
  } catch (cause) {
    const sentence =
      cause instanceof ApiUnreachable
        ? `nothing answers at ${api.baseUrl}, which .local/stack.json names: start the service with "npm start"`
        : `the service at ${api.baseUrl} is not the one that .local/stack.json describes: stop it, or start this one on a port of its own, "npm start -- --port 8081"`;
    throw new Error(sentence, { cause });
  }
}
