import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { SimulatedScreen } from "../../infra/demo-desk/simulated-screen.ts";
import { createDriver } from "../../infra/driver/create-driver.ts";
import { createLocalDesktop } from "../../infra/driver/desktops/local-desktop.ts";
import type { RequestLogList } from "../../shared/contract/request-log.ts";
import { ordersTask } from "../support/execution/looking-provider.ts";
import { decideByPicture } from "../support/providers/decide-by-picture.ts";
import { startProvider } from "../support/providers/start-provider.ts";
import type { Decide } from "../support/providers/wire-format.ts";
import { askApi } from "../support/stack/ask-api.ts";
import { spawnStack } from "../support/stack/spawn-stack.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { runToEnd } from "./run-to-end.ts";
import { sized } from "./sized.ts";

const orders = sized(6, 1);
const stepMsMax = 80;

/**
 * Measures a model's step on the local stack, from one decision to the next, without the times of the model and of the
 * desktop: it includes the tunnel, AWS's stand-ins and pictures. Only the second half of a run counts: the first one
 * starts the functions, and DynamoDB Local, which is several times slower until it is compiled.
 */
export async function measureModelSteps(): Promise<readonly Figure[]> {
  const asked: { readonly atMs: number; readonly serverMs: number; readonly desktopMs: number }[] = [];
  let desktopMs = 0;
  const decide: Decide = (screen) => {
    asked.push({ atMs: performance.now(), serverMs: provider.server.busyMs, desktopMs });
    return decideByPicture(screen);
  };
  const provider = await startProvider("anthropic", decide);
  const { baseUrls } = provider.options;
  const variables = { MODEL_ENDPOINTS: JSON.stringify(baseUrls) };
  const stack = await spawnStack({ desktop: false, timers: false, variables });
  const desktop = createLocalDesktop({
    screen: new SimulatedScreen({ desk: { seed: 0 } }),
    root: tmpdir(),
    allowShell: false,
  });
  const handle = desktop.handle.bind(desktop);
  const timed: typeof handle = async (request) => {
    const fromMs = performance.now();
    const answer = await handle(request);
    desktopMs += performance.now() - fromMs;
    return answer;
  };
  const driver = createDriver({
    url: stack.websocketUrl,
    authorization: `Bearer ${stack.apiKey}`,
    fingerprint: randomUUID(),
    desktop: Object.assign(desktop, { handle: timed }),
  });
  try {
    driver.start();
    await driver.connected();
    const { inputs, mainPrompt: main_prompt } = ordersTask(orders);
    if (provider.key.authType !== "api_key") throw new Error("the stand-in has another key");
    const key = { auth_type: "api_key", api_key: provider.key.apiKey };
    await askApi(stack, "/v1/provider-credentials/anthropic", "PUT", key);
    const model = { name: "the model", provider: provider.provider, model: provider.model };
    const made = await askApi<{ id: string }>(stack, "/v1/model-configurations", "POST", model);
    const workflow = { main_prompt, model_configuration_id: made.id, replay: "never" };
    const { id: workflow_id } = await askApi<{ id: string }>(stack, "/v1/workflows", "POST", workflow);
    const body = { workflow_id, input_values: inputs, sensitive_input_values: { pin: "canary-4711" } };
    await runToEnd(stack, body, { pauseMs: 1_000 });
    const times = asked.slice(1).map((next, at) => {
      const from = asked[at] ?? next;
      return next.atMs - from.atMs - (next.serverMs - from.serverMs) - (next.desktopMs - from.desktopMs);
    });
    const half = Math.floor(times.length / 2);
    const [early, p50] = [median(times.slice(0, half)), median(times.slice(half))];
    const calls = await callTimes(stack);
    const tunnel = median(calls.slice(calls.length / 2)) - desktopMs / asked.length;
    return [
      {
        figure: `a model's step on the local stack beside model and desktop, p50 of the last ${times.length - half} of a run (of that the tunnel to the desktop and back; of the ${half} before)`,
        measured: `${milliseconds(p50)} (${milliseconds(tunnel)}; ${milliseconds(early)})`,
        target: `at most ${stepMsMax} ms`,
        isReached: p50 <= stepMsMax,
      },
    ];
  } finally {
    await driver.stop();
    await stack.stop();
    await provider.server.stop();
  }
}

/** The duration of each call to the desktop in milliseconds, the first one first. */
async function callTimes(stack: Parameters<typeof askApi>[0]): Promise<readonly number[]> {
  const log = await askApi<RequestLogList>(stack, "/v1/request-logs?limit=1000");
  const batches = log.items.filter(({ path }) => path === "/computer/batch");
  return batches.map(({ duration_ms }) => duration_ms ?? 0).reverse();
}
