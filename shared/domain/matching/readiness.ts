import type { Json } from "../json.ts";
import type { Machine } from "../machine/machine.ts";
import { slotOf } from "../provider/covered-providers.ts";
import type { InputChecker } from "../run/inputs/input-checker.ts";
import { type PreparedInputs, prepareInputs } from "../run/inputs/prepare-inputs.ts";
import { referencedAliases } from "../run/inputs/resolve-references.ts";
import type { Run } from "../run/run.ts";
import { isTerminal } from "../run/run-status.ts";
import { type SpillDeps, unspill } from "../spill.ts";
import type { Candidate } from "./match-store.ts";

export type Readiness =
  | Extract<PreparedInputs, { readonly kind: "ready" }>
  /** A step that its inputs refer to has not ended. */
  | { readonly kind: "waits"; readonly for: Run }
  /** It never can: it ends with these reasons. */
  | { readonly kind: "ends"; readonly status: "cancelled" | "error"; readonly reasons: readonly string[] };

/** Whether a run can begin on that machine, and with which inputs. */
export async function readinessOf(
  deps: SpillDeps & { readonly checker: Pick<InputChecker, "check"> },
  candidate: Candidate,
  machine: Machine,
): Promise<Readiness> {
  const { run, workflow, pools } = candidate;
  if (workflow === undefined) {
    return { kind: "ends", status: "cancelled", reasons: ["the workflow was deleted before the run began"] };
  }
  const open = [...candidate.earlier.values()].find(({ status }) => !isTerminal(status));
  if (open !== undefined) return { kind: "waits", for: open };
  const refusal = slotRefusal(candidate);
  if (refusal !== undefined) return { kind: "ends", status: "error", reasons: [refusal] };
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

/** Why a run that needs the organization's own key cannot begin: the key is missing or the provider refuses it. */
function slotRefusal({ workflow, credentials }: Candidate): string | undefined {
  const provider = workflow?.modelMetadata?.provider;
  if (provider === undefined) return undefined;
  const slot = slotOf(provider);
  const status = credentials.find((credential) => credential.slot === slot)?.status;
  if (status === undefined || status === "active") return undefined;
  return `the provider slot ${slot}, which the workflow's model needs, is ${status}: put a key into it`;
}

/** Output data, by alias, of the earlier steps that the inputs refer to; null where a step has none. */
async function readOutputs(deps: SpillDeps, { run, earlier }: Candidate): Promise<ReadonlyMap<string, Json>> {
  const outputs = new Map<string, Json>();
  if (run.chainId === null) return outputs;
  for (const alias of referencedAliases(run.inputValues)) {
    const step = earlier.get(run.chainRunIds[alias] ?? "");
    if (step !== undefined) outputs.set(alias, await unspill(deps, step.outputData));
  }
  return outputs;
}
