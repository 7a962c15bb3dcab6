import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { askApi, askRaw, type DemoApi } from "./demo-api.ts";
import { demoInputs } from "./demo-definition.ts";
import { seedDemo } from "./seed-demo.ts";
import { type DemoStep, wordsOf } from "./step-words.ts";

const localFolder = fileURLToPath(new URL("../../../.local", import.meta.url));

const waitMsMax = 120_000;
const pauseMs = 500;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly output_data: unknown;
  readonly error: readonly string[];
  readonly error_code: string | null;
}

interface Steps {
  readonly items: readonly DemoStep[];
  readonly summary: string | null;
}

async function runDemo(): Promise<void> {
  const { api, machineId } = readStack();
  const workflowId = await seedDemo(api);
  const created = await askApi<Run>(api, "POST", "/v1/runs", {
    workflow_id: workflowId,
    machine_id: machineId,
    ...demoInputs,
  });
  process.stdout.write(`run ${created.id}: one order, with ${JSON.stringify(demoInputs.input_values)}\n\n`);
  const run = await ended(api, created.id);
  const { items: steps, summary } = await askApi<Steps>(api, "GET", `/v1/runs/${run.id}/steps`);
  const folder = join(localFolder, "demo", run.id);
  mkdirSync(folder, { recursive: true });
  for (const step of steps) {
    process.stdout.write(`${wordsOf(step)}\n`);
    if (step.screenshot !== null) await keepPicture(api, run.id, step.index, "screenshot", folder);
    if (step.expected !== null) await keepPicture(api, run.id, step.index, "expected", folder);
  }
  const says =
    run.error_code === null ? JSON.stringify(run.output_data) : `${run.error_code}: ${run.error.join("; ")}`;
  process.stdout.write(
    `\n${run.status}, ${summary}: ${says}\npictures: ${relative(process.cwd(), folder)}\n`,
  );
  if (run.status !== "success") process.exitCode = 1;
}

async function ended(api: DemoApi, runId: string): Promise<Run> {
  const untilMs = Date.now() + waitMsMax;
  for (;;) {
    const run = await askApi<Run>(api, "GET", `/v1/runs/${runId}`);
    if (run.status !== "scheduling" && run.status !== "running") return run;
    if (Date.now() > untilMs) throw new Error(`the run is ${run.status} after ${waitMsMax / 1_000} s`);
    await sleep(pauseMs);
  }
}

async function keepPicture(
  api: DemoApi,
  runId: string,
  index: number,
  kind: "screenshot" | "expected",
  folder: string,
): Promise<void> {
  const response = await askRaw(api, "GET", `/v1/runs/${runId}/steps/${index}/${kind}`);
  if (!response.ok) return;
  const suffix = kind === "expected" ? "-expected" : "";
  const name = `step-${String(index).padStart(2, "0")}${suffix}.png`;
  writeFileSync(join(folder, name), Buffer.from(await response.arrayBuffer()));
}

function readStack(): { readonly api: DemoApi; readonly machineId: string } {
  try {
    const stack = JSON.parse(readFileSync(join(localFolder, "stack.json"), "utf8")) as Readonly<
      Record<string, string>
    >;
    return {
      api: { baseUrl: stack.base_url ?? "", apiKey: stack.api_key ?? "" },
      machineId: stack.machine_id ?? "",
    };
  } catch (cause) {
    throw new Error('nothing runs here: start the service with "npm start" first', { cause });
  }
}

try {
  await runDemo();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
