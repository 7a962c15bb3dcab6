import type { DemoApi } from "../../infra/local/demo/demo-client.ts";
import { FakeService } from "../support/fake-service/fake-service.ts";
import { askApi } from "../support/stack/ask-api.ts";
import { scroll, startSimulatedDriver } from "../support/stack/simulated-driver.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { runToEnd } from "./run-to-end.ts";
import { sized } from "./sized.ts";

const runs = sized(20, 1);
const stepsOfRun = sized(20, 3);
const scrollsMax = 2.5;
const begunMsMax = 150;

interface Steps {
  readonly items: readonly { readonly started_at: string }[];
}

/**
 * Runs that the service carries out on the local stack, one after the other: how long a replayed step takes beside its
 * desktop, against a scroll through the API, and how long it takes from `running` to the first action. The actions need
 * no anchors, so that nothing is looked for; scrolls and the desktop's own time are measured between the runs.
 */
export async function measureExecutions(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const service = new FakeService();
  const drivers = [
    startSimulatedDriver(stack.websocketUrl, stack.apiKey),
    startSimulatedDriver(await service.listen(), "none"),
  ];
  const api: DemoApi = stack;
  try {
    const [connected] = await Promise.all(drivers.map((driver) => driver.connected()));
    const workflow_id = await makeWorkflow(api);
    const times = { step: [] as number[], begun: [] as number[] };
    const calls = { scroll: [] as number[], straight: [] as number[], batch: [] as number[] };
    // The first one starts the functions.
    for (let round = -1; round < runs; round += 1) {
      const run = await carryOut(api, workflow_id);
      if (round < 0) continue;
      times.begun.push(run.begunMs);
      times.step.push(...run.stepsMs);
      for (let call = 0; call < stepsOfRun; call += 1) {
        calls.scroll.push(
          await timeOf(() => scroll(stack.baseUrl, connected?.machineId ?? "", stack.apiKey)),
        );
        calls.straight.push(await timeOf(() => straight(service, "input/mouse/scroll", scrolled)));
        const body = { actions: [{ type: "scroll", ...scrolled }], screenshot: true, settle_ms: 1_000 };
        calls.batch.push(await timeOf(() => straight(service, "batch", body)));
      }
    }
    const desktopMs = median(calls.batch);
    const [step, bare] = [median(times.step) - desktopMs, median(calls.scroll) - median(calls.straight)];
    return [
      {
        figure: `a replayed step beside its desktop, as a multiple of a scroll's, p50 of ${times.step.length} (whole step, desktop; scroll, desktop)`,
        measured: `${(step / bare).toFixed(2)} (${[median(times.step), desktopMs, median(calls.scroll), median(calls.straight)].map(milliseconds).join(", ")})`,
        target: `at most ${scrollsMax}`,
        isReached: step / bare <= scrollsMax,
      },
      {
        figure: `from \`running\` to the first action, p50 of ${runs}`,
        measured: milliseconds(median(times.begun)),
        target: `at most ${begunMsMax} ms`,
        isReached: median(times.begun) <= begunMsMax,
      },
    ];
  } finally {
    await Promise.all(drivers.map((driver) => driver.stop()));
    await service.close();
    await stack.stop();
  }
}

const scrolled = { direction: "down", amount: 1 };

async function makeWorkflow(api: DemoApi): Promise<string> {
  const { id } = await askApi<{ id: string }>(api, "/v1/workflows", "POST", {
    main_prompt: "Scroll.",
    replay: "only",
    max_steps: stepsOfRun + 1,
  });
  const element = { action: { type: "scroll", ...scrolled } };
  const made = await askApi<{ id: string }>(api, "/v1/trajectories", "POST", {
    workflow_id: id,
    is_approved: true,
    trajectory_data: [...Array(stepsOfRun).fill(element), { action: { type: "finish" } }],
  });
  await askApi(api, `/v1/trajectories/${made.id}`, "PATCH", { is_main: true });
  return id;
}

async function carryOut(api: DemoApi, workflow_id: string) {
  const run = await runToEnd(api, { workflow_id });
  const { items } = await askApi<Steps>(api, `/v1/runs/${run.id}/steps`);
  const starts = items.map(({ started_at }) => Date.parse(started_at));
  const stepsMs = starts.slice(1, stepsOfRun).map((start, at) => start - (starts[at] ?? 0));
  return { stepsMs, begunMs: (starts[0] ?? 0) - Date.parse(run.started_at ?? "") };
}

async function straight(service: FakeService, path: string, body: object): Promise<number> {
  return (await service.latest.ask({ path: `/computer/${path}`, body })).status;
}

async function timeOf(call: () => Promise<number>): Promise<number> {
  const startedMs = performance.now();
  const status = await call();
  if (status !== 200) throw new Error(`a call was answered ${status}`);
  return performance.now() - startedMs;
}
