import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import { terminalStatuses } from "../../domain/run/run-status.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Write } from "../table/expression.ts";
import { isLiving } from "../table/expression.ts";
import { runKey } from "../table/keys.ts";
import { secretUseKey, secretUseWrite } from "./run-creation.ts";

/**
 * The row goes together with its use of a secret, so that neither is done twice.
 *
 * @returns true for the one who ended the secret's last use.
 */
export async function removeRun(table: DynamoTable, run: Run): Promise<boolean> {
  const { organizationId, id, secretName } = run;
  const row: Write = {
    kind: "delete",
    key: runKey(organizationId, id),
    condition: { expression: "attribute_exists(deleted_at)" },
  };
  if (secretName === null) {
    await table.delete(row.key, row.condition);
    return false;
  }
  await table.transact([row, secretUseWrite(organizationId, secretName, -1)]);
  return await forgetUnusedSecret(table, organizationId, secretName);
}

/**
 * Ends the use of its secret by a run that has ended; one that goes on, or has another one by now, keeps it. Done again
 * after it was interrupted it goes on from there.
 *
 * @returns true when nobody uses the secret any more.
 */
export async function endSecretUse(
  table: DynamoTable,
  organizationId: OrganizationId,
  runId: string,
  secretName: string,
): Promise<boolean> {
  const names = terminalStatuses.map((status) => `:${status}`);
  await table.transact([
    {
      kind: "update",
      key: runKey(organizationId, runId),
      change: { remove: ["secret_name", "due_pk", "due_sk"], add: { revision: 1 } },
      condition: {
        expression: `${isLiving} AND secret_name = :secret AND status IN (${names.join(", ")})`,
        values: {
          secret: secretName,
          ...Object.fromEntries(terminalStatuses.map((status) => [status, status])),
        },
      },
    },
    secretUseWrite(organizationId, secretName, -1),
  ]);
  return await forgetUnusedSecret(table, organizationId, secretName);
}

/** Interrupted before the secret itself is removed, it is one that nothing names: the sweeper's. */
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
