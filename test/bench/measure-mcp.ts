import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createApiClient } from "../../shared/client/api-client.ts";
import { startSimulatedDriver } from "../support/stack/simulated-driver.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const warmUp = sized(20, 1);
const calls = sized(200, 3);
const moreMsMax = 10;

/** A tool's call by the official client, beside the request of the API that it makes; in turns. */
export async function measureMcp(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const { baseUrl, apiKey } = stack;
  const driver = startSimulatedDriver(stack.websocketUrl, apiKey);
  const assistant = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  try {
    const { machineId: machine_id } = await driver.connected();
    const headers = { authorization: `Bearer ${apiKey}` };
    await assistant.connect(
      new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }),
    );
    const tool = async (name: string, args: Record<string, unknown>) => {
      const { isError } = await assistant.callTool({ name, arguments: args });
      if (isError === true) throw new Error(`${name} failed`);
    };
    const api = createApiClient({ baseUrl, credentials: apiKey });
    const scroll = { type: "scroll", direction: "down", amount: 1 } as const;
    return [
      await compared(
        "list_machines − GET /v1/machines",
        () => tool("list_machines", {}),
        () => api.call("listMachines", { query: { limit: 25 } }),
      ),
      await compared(
        "act, one scroll − POST …/batch",
        () => tool("act", { machine_id, actions: [scroll], picture: false }),
        () => api.call("performBatch", { path: { machine_id }, body: { actions: [scroll] } }),
      ),
    ];
  } finally {
    await assistant.close();
    await driver.stop();
    await stack.stop();
  }
}

async function compared(
  name: string,
  byTool: () => Promise<unknown>,
  byApi: () => Promise<unknown>,
): Promise<Figure> {
  const times = { tool: [] as number[], api: [] as number[] };
  for (let call = 0; call < warmUp + calls; call += 1) {
    const [tool, api] = [await timeOf(byTool), await timeOf(byApi)];
    if (call < warmUp) continue;
    times.tool.push(tool);
    times.api.push(api);
  }
  const [whole, alone] = [median(times.tool), median(times.api)];
  return {
    figure: `${name}, p50 of ${calls} in turns`,
    measured: `${milliseconds(whole)} − ${milliseconds(alone)} = ${milliseconds(whole - alone)}`,
    target: `at most ${moreMsMax} ms more`,
    isReached: whole - alone <= moreMsMax,
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
