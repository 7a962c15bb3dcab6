import { inheritedSecretValues } from "../../run/inputs/inherited-secret-values.ts";
import { runSecretValues } from "../../run/inputs/run-secret-values.ts";
import type { SecretValues } from "../../secret-store.ts";
import type { Invocation } from "./invocation.ts";
import { redact } from "./redact.ts";

/** The values of the run's secrets, own and inherited; those that are gone are left out. Read once an invocation. */
export async function readSecrets(invocation: Invocation): Promise<SecretValues> {
  if (invocation.secrets !== undefined) return invocation.secrets;
  const { deps, job } = invocation;
  const run = await deps.runs.find(job.organizationId, job.runId);
  if (run === undefined || run.assignmentId !== job.assignmentId) return {};
  const [own, inherited] = await Promise.all([runSecretValues(deps, run), inheritedSecretValues(deps, run)]);
  invocation.secrets = { ...inherited, ...own };
  return invocation.secrets;
}

/** A text from the desktop, with no secret's value in it. */
export async function withoutSecrets(invocation: Invocation, text: string): Promise<string> {
  return redact(text, await readSecrets(invocation));
}
