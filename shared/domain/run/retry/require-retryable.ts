import { DomainError } from "../../errors.ts";
import type { SecretValues } from "../../secret-store.ts";
import { secretsGone } from "../inputs/get-run-inputs.ts";
import { runSecretValues } from "../inputs/run-secret-values.ts";
import type { Run } from "../run.ts";
import type { RunDeps } from "../run-deps.ts";
import { isTerminal, requestableStatuses } from "../run-status.ts";

/**
 * One more read when the run had sensitive values and none are sent.
 *
 * @throws {DomainError} `illegal_transition` unless it has ended, or `secrets_gone` naming the aliases.
 */
export async function requireRetryable(
  deps: Pick<RunDeps, "runs" | "logger">,
  run: Run,
  sent: SecretValues | undefined,
): Promise<void> {
  const { status, sensitiveAliases } = run;
  if (!isTerminal(status)) {
    const allowed = requestableStatuses(status);
    throw new DomainError(
      "illegal_transition",
      `a run is done again once it has ended; this one is ${status} and can become ${allowed.join(", ")}`,
      { details: { status, allowed } },
    );
  }
  if (sent !== undefined || sensitiveAliases.length === 0) return;
  if ((await runSecretValues(deps, run)) === undefined) throw secretsGone(sensitiveAliases);
}
