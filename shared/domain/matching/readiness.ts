import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { Json } from "../json.ts";
import type { Machine } from "../machine/machine.ts";
import { slotOf } from "../model/provider-key.ts";
import { chooseModels } from "../model-selection/choose-models.ts";
import { type PreparedInputs, prepareInputs } from "../run/inputs/prepare-inputs.ts";
import { referencedAliases } from "../run/inputs/resolve-references.ts";
import type { Run } from "../run/run.ts";
import { isTerminal } from "../run/run-status.ts";
import { type SpillDeps, unspill } from "../spill.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { Candidate } from "./match-store.ts";

export type Readiness =
  | Extract<PreparedInputs, { readonly kind: "ready" }>
  | { readonly kind: "waits"; readonly for: Run }
  | {
      readonly kind: "ends";
      readonly status: "cancelled" | "error";
      readonly reasons: readonly string[];
      readonly errorCode?: RunErrorCode;
    };

export async function readinessOf(
  deps: SpillDeps & Pick<MatchDeps, "checker" | "modelConfigurations">,
  candidate: Candidate,
  machine: Machine,
): Promise<Readiness> {
  const { run, workflow, pools } = candidate;
  if (workflow === undefined) {
    return { kind: "ends", status: "cancelled", reasons: ["the workflow was deleted before the run began"] };
  }
  const open = [...candidate.earlier.values()].find(({ status }) => !isTerminal(status));
  if (open !== undefined) return { kind: "waits", for: open };
  const refusal = await modelRefusal(deps, candidate.run, workflow, candidate.credentials);
  if (refusal !== undefined) return refusal;
  const outputs = await readOutputs(deps, candidate);
  const prepared = await prepareInputs(deps.checker, {
    run,
    machine,
    pools,
    schema: workflow.inputSchema,
    of: { organizationId: run.organizationId, workflowId: workflow.id },
    outputsOf: run.chainId === null ? undefined : (alias) => outputs.get(alias),
  });
  if (prepared.kind === "ready") return prepared;
  return { kind: "ends", status: "error", reasons: prepared.reasons };
}

/** A run cannot begin while none of the slots that it could use has a valid key. */
async function modelRefusal(
  deps: Pick<MatchDeps, "modelConfigurations">,
  run: Run,
  workflow: Workflow,
  credentials: Candidate["credentials"],
): Promise<Readiness | undefined> {
  if (workflow.replay === "only" && run.executor === "service") return undefined;
  const models = await chooseModels(deps, run, workflow);
  if (models.kind === "none") return undefined;
  if (models.kind === "configuration_missing") {
    const reason = `the model configuration ${models.id}, by which it was to go, is not there any more`;
    return { kind: "ends", status: "error", reasons: [reason], errorCode: "model_configuration_missing" };
  }
  const [first, ...others] = [models.main, ...models.fallbacks].map(({ provider }) => {
    const slot = slotOf(provider);
    return { slot, status: credentials.find((credential) => credential.slot === slot)?.status ?? "active" };
  });
  if (first === undefined || first.status === "active") return undefined;
  if (others.some(({ status }) => status === "active")) return undefined;
  const reason = `the provider slot ${first.slot}, which the workflow's model needs, is ${first.status}: put a key into it`;
  return { kind: "ends", status: "error", reasons: [reason], errorCode: `provider_key_${first.status}` };
}

/** The output is null if a step has none. */
async function readOutputs(deps: SpillDeps, { run, earlier }: Candidate): Promise<ReadonlyMap<string, Json>> {
  const outputs = new Map<string, Json>();
  if (run.chainId === null) return outputs;
  for (const alias of referencedAliases(run.inputValues)) {
    const step = earlier.get(run.chainRunIds[alias] ?? "");
    if (step !== undefined) outputs.set(alias, await unspill(deps, step.outputData));
  }
  return outputs;
}
