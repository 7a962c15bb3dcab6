import { type Caller, requireScope } from "../../access/caller.ts";
import { required } from "../../entity/not-found.ts";
import { DomainError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import type { SecretValues } from "../../secret-store.ts";
import { unspill } from "../../spill.ts";
import type { RunDeps } from "../run-deps.ts";
import type { RunOverridesInput } from "../run-overrides.ts";
import { type InheritedSecretDeps, inheritedSecretValues } from "./inherited-secret-values.ts";
import { runSecretValues } from "./run-secret-values.ts";

/** The inputs contain secrets, so they are never logged or stored. */
export interface RunInputs {
  readonly assignmentId: string;
  readonly inputValues: JsonObject;
  readonly sensitiveValues: SecretValues;
  readonly overrides: RunOverridesInput;
}

/**
 * Makes one read of the run, one of its own values, one batch read of owners, and one of the secret store for each.
 * @throws {DomainError} `insufficient_scope`, `not_found`, `not_a_worker_run`, `run_not_running`, or `secrets_gone`
 * naming the aliases.
 */
export async function getRunInputs(
  deps: Pick<RunDeps, "runs" | "logger" | "files"> & InheritedSecretDeps,
  caller: Caller,
  input: { readonly runId: string },
): Promise<RunInputs> {
  requireScope(caller, "worker");
  const run = required(await deps.runs.find(caller.organizationId, input.runId), "run", input.runId);
  if (run.executor === "service") {
    throw new DomainError(
      "not_a_worker_run",
      "the service itself carries this run out; its inputs are given to nobody",
    );
  }
  const { status, assignmentId, inputValues, sensitiveAliases, inheritedSecrets } = run;
  if (status !== "running" || assignmentId === null) {
    throw new DomainError("run_not_running", `inputs are given to a running run; this one is ${status}`, {
      details: { status },
    });
  }
  const [own, inherited] = await Promise.all([runSecretValues(deps, run), inheritedSecretValues(deps, run)]);
  const sensitiveValues = { ...inherited, ...own };
  const aliases = [...new Set([...sensitiveAliases, ...Object.keys(inheritedSecrets)])];
  const gone = aliases.filter((alias) => !Object.hasOwn(sensitiveValues, alias));
  if (gone.length > 0) throw secretsGone(gone);
  const { mainPrompt, ...others } = run.overrides;
  const overrides = { ...others, mainPrompt: (await unspill(deps, mainPrompt)) as string | null };
  return { assignmentId, inputValues, sensitiveValues, overrides };
}

export function secretsGone(aliases: readonly string[]): DomainError {
  return new DomainError(
    "secrets_gone",
    `the values of ${aliases.join(", ")} are gone; send sensitive_input_values`,
    { details: { aliases } },
  );
}
