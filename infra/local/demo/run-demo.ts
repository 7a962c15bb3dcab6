import type { ApiClient } from "../../../shared/client/api-client.ts";
import { demoInputs } from "./demo-definition.ts";
import { wordsOf } from "./step-words.ts";

const endsWithinMs = 120_000;
/** A run begins within a second unless it waits for its machine. */
const beginsWithinMs = 4_000;

const advice =
  'what to do: the demo begins where the icon Orders is seen on the simulated desktop of "npm start" (not on --desktop x11). Bring its screen there in the console, or start the service anew, and run the demo again';

export interface DemoDeps {
  readonly client: Pick<ApiClient, "call" | "runs">;
  readonly machineId: string;
  readonly workflowId: string;
  readonly say: (line: string) => void;
  readonly keep: (runId: string, name: string, picture: Uint8Array) => void;
}

function waitingWords(reason: string): string {
  return `it waits (${reason.replaceAll("_", " ")}): "npm run --silent das -- runs list" shows what else there is to do`;
}

/** Says each step as it comes. @returns the run's id and whether it was a success. */
export async function runDemo({ client, machineId, workflowId, say, keep }: DemoDeps) {
  const body = { workflow_id: workflowId, machine_id: machineId, ...demoInputs };
  const { id } = await client.call("createRun", { body });
  say(`run ${id}: one order, with ${JSON.stringify(demoInputs.input_values)}\n`);
  const signal = AbortSignal.timeout(endsWithinMs);
  const keepPicture = async (
    operation: "getRunStepScreenshot" | "getRunStepExpected",
    index: number,
    suffix: string,
  ) => {
    const picture = await client.call(operation, { path: { run_id: id, index: String(index) } });
    keep(id, `step-${String(index).padStart(2, "0")}${suffix}.png`, picture);
  };
  const sayWhyNot = async () => {
    const { waiting_reason: reason } = await client.call("getRun", { path: { run_id: id } });
    if (reason !== null) say(waitingWords(reason));
  };
  const late = setTimeout(() => void sayWhyNot().catch(() => {}), beginsWithinMs);
  const run = await client.runs
    .waitUntilEnded(id, {
      signal,
      onStep: async (step) => {
        clearTimeout(late);
        say(wordsOf(step));
        if (step.screenshot !== null) await keepPicture("getRunStepScreenshot", step.index, "");
        if (step.expected !== null) await keepPicture("getRunStepExpected", step.index, "-expected");
      },
    })
    .catch(async (error: unknown) => {
      if (!signal.aborted) throw error;
      const { status, waiting_reason: reason } = await client.call("getRun", { path: { run_id: id } });
      const why = reason === null ? "" : ` (${reason})`;
      throw new Error(`the run has not ended after ${endsWithinMs / 1_000} s: ${status}${why}`);
    })
    .finally(() => clearTimeout(late));
  const { summary } = await client.call("listRunSteps", { path: { run_id: id } });
  const isSuccess = run.status === "success";
  const says = isSuccess ? JSON.stringify(run.output_data) : `${run.error_code}: ${run.error.join("; ")}`;
  say(`\n${run.status}, ${summary}: ${says}`);
  if (!isSuccess) say(advice);
  return { id, isSuccess };
}
