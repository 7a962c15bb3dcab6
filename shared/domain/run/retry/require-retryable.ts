import { DomainError } from "../../errors.ts";
import type { SecretStore, SecretValues } from "../../secret-store.ts";
import { secretsGone } from "../inputs/get-run-inputs.ts";
import type { Run } from "../run.ts";
import { isTerminal, requestableStatuses } from "../run-status.ts";

/**
 * Whether the run can be retried. One read of the secret store when it had sensitive values and none are sent.
 *
 * @throws {DomainError} `illegal_transition` unless it has ended, or `secrets_gone` naming the aliases.
 */
export async function requireRetryable(
  deps: { readonly secrets: Pick<SecretStore, "read"> },
  run: Run,
  sent: SecretValues | undefined,
): Promise<void> {
  const { status, secretName, sensitiveAliases } = run;
  if (!isTerminal(status)) {
    const allowed = requestableStatuses(status);
    throw new DomainError(
      "illegal_transition",
      `a run is done again once it has ended; this one is ${status} and can become ${allowed.join(", ")}`,
      { details: { status, allowed } },
    );
  }
  if (sent !== undefined || sensitiveAliases.length === 0) return;
  const values = secretName === null ? undefined : await deps.secrets.read(secretName);
  if (values === undefined) throw secretsGone(sensitiveAliases);
}
