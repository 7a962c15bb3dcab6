import { inheritedSecretValues } from "../../run/inputs/inherited-secret-values.ts";
import { runSecretValues } from "../../run/inputs/run-secret-values.ts";
import type { SecretValues } from "../../secret-store.ts";
import type { World } from "../world.ts";
import { redact } from "./redact.ts";

/** The values of the run's secrets, own and inherited; those that are gone are left out. Read once an invocation. */
export async function readSecrets(world: World): Promise<SecretValues> {
  if (world.secrets !== undefined) return world.secrets;
  const { deps, job } = world;
  const run = await deps.runs.find(job.organizationId, job.runId);
  if (run === undefined || run.assignmentId !== job.assignmentId) return {};
  const [own, inherited] = await Promise.all([runSecretValues(deps, run), inheritedSecretValues(deps, run)]);
  world.secrets = { ...inherited, ...own };
  return world.secrets;
}

/** A text from the desktop, with no secret's value in it. */
export async function withoutSecrets(world: World, text: string): Promise<string> {
  return world.plan.aliases.length === 0 ? text : redact(text, await readSecrets(world));
}
