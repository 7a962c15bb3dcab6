import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { allOf, isDeleted, living, type Write } from "../table/expression.ts";
import { runKey } from "../table/keys.ts";
import { secretUseKey, secretUseWrite } from "./run-creation.ts";
import { isEnded } from "./run-update.ts";

/**
 * Removes the row together with its use of a secret, so that neither happens twice.
 *
 * @returns true when this ended the secret's last use.
 */
export async function removeRun(table: DynamoTable, run: Run): Promise<boolean> {
  const { organizationId, id, secretName } = run;
  const row: Write = {
    kind: "delete",
    key: runKey(organizationId, id),
    condition: isDeleted,
  };
  if (secretName === null) {
    await table.delete(row.key, row.condition);
    return false;
  }
  await table.transact([row, secretUseWrite(organizationId, secretName, -1)]);
  return await forgetUnusedSecret(table, organizationId, secretName);
}

/**
 * Ends an ended run's use of its secret; a run that goes on, or has another secret by now, keeps it. After an
 * interruption a repeat continues.
 *
 * @returns true when no run uses the secret any more.
 */
export async function endSecretUse(
  table: DynamoTable,
  organizationId: OrganizationId,
  runId: string,
  secretName: string,
): Promise<boolean> {
  await table.transact([
    {
      kind: "update",
      key: runKey(organizationId, runId),
      change: { remove: ["secret_name", "due_pk", "due_sk"], add: { revision: 1 } },
      condition: allOf(living, isEnded, {
        expression: "secret_name = :secret",
        values: { secret: secretName },
      }),
    },
    secretUseWrite(organizationId, secretName, -1),
  ]);
  return await forgetUnusedSecret(table, organizationId, secretName);
}

/** If interrupted before the secret is removed, the sweeper removes it, since nothing names it. */
export async function forgetUnusedSecret(
  table: DynamoTable,
  organizationId: OrganizationId,
  secretName: string,
): Promise<boolean> {
  const key = secretUseKey(organizationId, secretName);
  const row = await table.get(key);
  if (Number(row?.uses ?? 0) > 0 || row?.is_open === true) return false;
  await table.delete(key, {
    expression: "attribute_not_exists(pk) OR uses <= :none",
    values: { none: 0 },
  });
  return true;
}

export async function isSecretUsed(
  table: DynamoTable,
  organizationId: OrganizationId,
  secretName: string,
): Promise<boolean> {
  const row = await table.get(secretUseKey(organizationId, secretName));
  return Number(row?.uses ?? 0) > 0;
}
