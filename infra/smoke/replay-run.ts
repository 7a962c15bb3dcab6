import { randomUUID } from "node:crypto";
import type { CallArguments, CallResponse } from "../../shared/client/call-types.ts";
import { readDemo } from "../local/demo/demo-definition.ts";
import type { SmokeDesktop } from "./connect-desktop.ts";
import { findInTime, type Smoke } from "./smoke.ts";
import { SmokeFailure } from "./smoke-failure.ts";

type Run = CallResponse<"getRun">;

/** @returns the secret's value, which the machine's runs know as `pin`. */
export async function keepSecret({ admin }: Smoke, { machineId }: SmokeDesktop): Promise<string> {
  const pin = randomUUID();
  const { machine_sensitive_parameters: aliases } = await admin.call("updateMachine", {
    path: { machine_id: machineId },
    body: { machine_sensitive_parameters: { pin } },
  });
  if (aliases.pin !== "pin") throw new Error("the machine does not have the secret's alias");
  return pin;
}

/** `text` is recorded, and `typed` what the desktop gets for it. */
export interface Typing {
  readonly text: string;
  readonly typed: string;
}

export async function replayRun(smoke: Smoke, desktop: SmokeDesktop, typing: Typing): Promise<string> {
  const { admin, cleanup } = smoke;
  const workflow_id = await makeWorkflow(smoke, typing.text);
  const { id: run_id } = await admin.call("createRun", {
    body: { workflow_id, machine_id: desktop.machineId },
  });
  const path = { run_id };
  cleanup.add(`run ${run_id}`, async () => {
    await admin.call("cancelRun", { path });
    await admin.call("deleteRun", { path });
  });
  let run: Run | undefined;
  await findInTime(smoke, async () => {
    run = await admin.call("getRun", { path });
    return hasEnded(run) ? run : undefined;
  });
  if (run === undefined || !hasEnded(run)) throw await notEnded(smoke, run_id, run);
  if (run.status !== "success") {
    throw new SmokeFailure(
      "executor",
      `the run ended as ${run.status}: ${run.error.join("; ")} (${run.error_code})`,
    );
  }
  const isTyped = desktop.screen.events.some((event) => event.kind === "type" && event.text === typing.typed);
  if (!isTyped) throw new SmokeFailure("executor: the machine's secret", "the desktop got another text");
  return `run ${run_id}`;
}

type Recorded = Pick<CallArguments<"createTrajectory">[0]["body"], "dimensions" | "trajectory_data">;

/** The demo opens its program and clicks into a field before this element, which types. */
const typingAt = 3;

async function makeWorkflow({ admin, cleanup, name }: Smoke, text: string): Promise<string> {
  const { id } = await admin.call("createWorkflow", {
    body: { name, main_prompt: "Open Orders, and type.", replay: "only" },
  });
  cleanup.add(`workflow ${id}`, () => admin.call("deleteWorkflow", { path: { workflow_id: id } }));
  const { dimensions, trajectory_data: recorded } = readDemo().trajectory as Recorded;
  const trajectory = await admin.call("createTrajectory", {
    body: {
      workflow_id: id,
      name,
      is_approved: true,
      dimensions,
      trajectory_data: [
        ...recorded.slice(0, typingAt),
        { ...(recorded[typingAt] as object), action: { type: "type", text } },
      ],
    },
  });
  const path = { trajectory_id: trajectory.id };
  cleanup.add(`trajectory ${trajectory.id}`, () => admin.call("deleteTrajectory", { path }));
  await admin.call("updateTrajectory", { path, body: { is_main: true } });
  return id;
}

function hasEnded({ status }: Run): boolean {
  return status !== "scheduling" && status !== "running";
}

async function notEnded({ admin }: Smoke, run_id: string, run: Run | undefined): Promise<SmokeFailure> {
  if (run?.status !== "running") {
    const why = run?.waiting_reason ?? "its machine is free";
    return new SmokeFailure("matcher", `the run still waits: ${why}`);
  }
  const { total } = await admin.call("listRunSteps", { path: { run_id } });
  return new SmokeFailure("executor", `the run is running, with ${total} of ${typingAt + 1} steps begun`);
}
