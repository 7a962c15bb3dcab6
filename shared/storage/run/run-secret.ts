import type { EncryptedPlace } from "../../domain/encryption.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import type { NewSecret } from "../../domain/run/run-store.ts";
import type { SecretValues } from "../../domain/secret-store.ts";
import { overtaken, untilWritten } from "../../domain/until-written.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { remove, update, type Write } from "../table/expression.ts";
import { duePartitions, dueRow } from "../table/index-keys.ts";
import { timestampOfSortKey } from "../table/key-parts.ts";
import { runSecretKey } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { bytes, number, row, tenant } from "../table/row.ts";

interface SecretRow {
  readonly organizationId: OrganizationId;
  /** The bytes are encrypted JSON of alias to value. */
  readonly values: Uint8Array;
  /** The row exists as long as a run names it. */
  readonly uses: number;
}

const secretRow = row<SecretRow>("run_secret", { organizationId: tenant, values: bytes, uses: number });
const values = secretRow.pick("values");
const uses = secretRow.pick("uses");

/** A version of the data key is kept as long as the oldest of these may need it. */
const listing = "KEPT#RUN_SECRET";

type Owner = Pick<Run, "organizationId" | "secretId">;

/** Later parts of a request write the values again. */
export async function secretWrite(
  table: DynamoTable,
  {
    organizationId,
    secret,
  }: { readonly organizationId: OrganizationId; readonly secret?: NewSecret | undefined },
  runs: readonly Run[],
  nowMs: number,
): Promise<Write | undefined> {
  const named = runs.filter(({ secretId }) => secretId !== null);
  if (!named.every(({ secretId }) => secretId === secret?.id)) {
    throw new Error("a run names sensitive values that are not created with it");
  }
  if (secret === undefined || named.length === 0) return undefined;
  const place = placeOf(organizationId, secret.id);
  const text = Buffer.from(JSON.stringify(secret.values), "utf8");
  const encrypted = await table.encryption.encrypt(place, text);
  const set = {
    kind: "run_secret",
    ...secretRow.set({ organizationId, values: encrypted }),
    ...dueRow(listing, secret.id, nowMs),
  };
  return update(runSecretKey(organizationId, secret.id), { set, add: { uses: named.length } });
}

/** @throws {Undecryptable} */
export async function readSecretValues(
  table: DynamoTable,
  { organizationId, secretId }: Owner,
): Promise<SecretValues | undefined> {
  if (secretId === null) return undefined;
  const item = await table.get(runSecretKey(organizationId, secretId));
  if (!item) return undefined;
  const plain = await table.encryption.decrypt(placeOf(organizationId, secretId), values.parse(item).values);
  return JSON.parse(new TextDecoder().decode(plain)) as SecretValues;
}

/** The last use removes the row. */
export async function useEndWrite(
  table: DynamoTable,
  { organizationId, secretId }: Owner,
): Promise<Write | undefined> {
  if (secretId === null) return undefined;
  const key = runSecretKey(organizationId, secretId);
  const [item] = await table.batchGet([key], uses.attributes());
  if (!item) return undefined;
  const values = { last: 1 };
  return uses.parse(item).uses <= 1
    ? remove(key, { expression: "uses <= :last", values })
    : update(key, { add: { uses: -1 } }, { expression: "uses > :last", values });
}

/** @returns false when the condition of the run's own write failed. @throws {ChangedTooOften} */
export async function writeWithUseEnd(table: DynamoTable, owner: Owner, run: Write): Promise<boolean> {
  return await untilWritten(table.pacing, {
    what: "the run's secret",
    // Every run of a bulk may end in the same second.
    attemptsMax: 50,
    read: () => useEndWrite(table, owner),
    decide: async (use) => {
      const { failed } = await table.transact({ run, use });
      return failed === "use" ? overtaken : failed === undefined;
    },
  });
}

export async function oldestSecretMs(table: DynamoTable): Promise<number | undefined> {
  // A row that only the index still has keeps a version for longer, no more.
  const oldest = duePartitions(listing).map((partition) => queryItems(table, { index: "due", partition }, 1));
  const times = (await Promise.all(oldest)).flat().map((row) => timestampOfSortKey(String(row.due_sk)));
  return times.length === 0 ? undefined : Math.min(...times);
}

function placeOf(organizationId: OrganizationId, secretId: string): EncryptedPlace {
  return { organizationId, purpose: "run-secret", ...runSecretKey(organizationId, secretId) };
}
