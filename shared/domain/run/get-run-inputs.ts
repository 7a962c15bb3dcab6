import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { SecretValues } from "../secret-store.ts";
import { type RunDeps, runNotFound } from "./run-deps.ts";

/** What a machine needs to do a run. Holds secrets: never logged, never stored. */
export interface RunInputs {
  readonly assignmentId: string;
  readonly inputValues: JsonObject;
  readonly sensitiveValues: SecretValues;
}

/**
 * The inputs of a running run, for the worker that does it.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, `run_not_running`, or `secrets_gone` naming the aliases.
 */
export async function getRunInputs(
  deps: Pick<RunDeps, "runs" | "secrets">,
  caller: Caller,
  input: { readonly runId: string },
): Promise<RunInputs> {
  requireScope(caller, "worker");
  const run = await deps.runs.find(caller.organizationId, input.runId);
  if (run === undefined) throw runNotFound(input.runId);
  const { status, assignmentId, inputValues, secretName, sensitiveAliases } = run;
  if (status !== "running" || assignmentId === null) {
    throw new DomainError("run_not_running", `inputs are given to a running run; this one is ${status}`, {
      details: { status },
    });
  }
  const sensitiveValues = secretName === null ? {} : await deps.secrets.read(secretName);
  if (sensitiveValues === undefined) throw secretsGone(sensitiveAliases);
  return { assignmentId, inputValues, sensitiveValues };
}

export function secretsGone(aliases: readonly string[]): DomainError {
  return new DomainError(
    "secrets_gone",
    `the values of ${aliases.join(", ")} are gone; send sensitive_input_values`,
    { details: { aliases } },
  );
}
