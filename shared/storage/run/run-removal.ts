import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { allOf, isDeleted, living, remove, update } from "../table/expression.ts";
import { duePartition } from "../table/index-keys.ts";
import { runKey } from "../table/keys.ts";
import { writeWithUseEnd } from "./run-secret.ts";
import { isEnded } from "./run-update.ts";

/** The row goes together with its use of a secret, so that neither happens twice. */
export async function removeRun(table: DynamoTable, run: Run): Promise<void> {
  const key = runKey(run.organizationId, run.id);
  if (run.secretId === null) await table.delete(key, isDeleted);
  else await writeWithUseEnd(table, run, remove(key, isDeleted));
}

/** A run that goes on, or has another secret by now, keeps it. */
export async function endSecretUse(
  table: DynamoTable,
  organizationId: OrganizationId,
  runId: string,
  secretId: string,
): Promise<void> {
  const change = {
    // The run stays sorted by its end.
    set: { due_pk: duePartition("ENDED#RUN", runId) },
    remove: ["secret_id"],
    add: { revision: 1 },
  };
  const hasIt = { expression: "secret_id = :secret", values: { secret: secretId } };
  const run = update(runKey(organizationId, runId), change, allOf(living, isEnded, hasIt));
  await writeWithUseEnd(table, { organizationId, secretId }, run);
}
