import type { Run } from "../domain/run/run.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import type { Write } from "./expression.ts";
import { runKey } from "./keys.ts";
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

/** Interrupted before the secret itself is removed, it is one that nothing names: the sweeper's. */
export async function forgetUnusedSecret(
  table: DynamoTable,
  organizationId: string,
  secretName: string,
): Promise<boolean> {
  if (await isSecretUsed(table, organizationId, secretName)) return false;
  await table.delete(secretUseKey(organizationId, secretName), {
    expression: "attribute_not_exists(pk) OR uses <= :none",
    values: { none: 0 },
  });
  return true;
}

export async function isSecretUsed(
  table: DynamoTable,
  organizationId: string,
  secretName: string,
): Promise<boolean> {
  const row = await table.get(secretUseKey(organizationId, secretName));
  return Number(row?.uses ?? 0) > 0;
}
