import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { isDeletableKind } from "../../domain/maintenance/deletions.ts";
import type { TableChange } from "../../domain/maintenance/table-change.ts";
import type { CountedRun } from "../../domain/usage/usage.ts";
import { terminalRunStatuses } from "../../vocabulary/runs.ts";
import { executionRow } from "../execution/execution-item.ts";
import { runRow } from "../run/run-item.ts";
import { fromAttributes, type Item } from "../table/item.ts";
import { organizationIdAttribute } from "../table/row.ts";
import { SpilledAttribute } from "../table/spilled-attributes.ts";

/** A record of the table's stream as Lambda gets it: attribute values are DynamoDB's own JSON. */
export interface TableStreamRecord {
  /** The same whenever the record is read again. */
  readonly eventID?: string | undefined;
  readonly eventName?: string | undefined;
  /** Who wrote, where that was DynamoDB itself. */
  readonly userIdentity?: unknown;
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        /** Seconds since the epoch. */
        readonly ApproximateCreationDateTime?: number | undefined;
        readonly NewImage?: Readonly<Record<string, unknown>> | undefined;
        readonly OldImage?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

const countedRun = runRow.pick(
  ...([
    "organizationId",
    "id",
    "attempt",
    "status",
    "endedAt",
    "executor",
    "usageMetadata",
    "modelTokens",
  ] as const),
);

const Entity = z.object({ kind: z.string(), id: z.string(), organization_id: organizationIdAttribute });

/**
 * - deleted: the entity is marked as deleted.
 * - execution due: the run was assigned.
 * - run ended: the run became terminal and has a secret.
 * - connection expired: the row was removed, which only TTL does.
 * - objects replaced: a trajectory's row names others than before, which leaves the old ones behind.
 *
 * Undefined for changes that need no work, and for other kinds.
 */
export function readTableChange(record: TableStreamRecord): TableChange | undefined {
  const { before, after } = imagesOf(record);
  if (before === undefined && after?.kind === "execution") {
    const job = executionRow.parse(after);
    return { kind: "execution_due", organizationId: job.organizationId, job };
  }
  const parsed = Entity.safeParse(after ?? before);
  if (!parsed.success) return undefined;
  const { kind, id, organization_id: organizationId } = parsed.data;
  const becameDeleted = after?.deleted_at !== undefined && before?.deleted_at === undefined;
  if (becameDeleted && isDeletableKind(kind)) return { kind: "deleted", entity: kind, organizationId, id };
  if (kind === "run" && after !== undefined && hasEnded(before, after)) {
    return { kind: "run_ended", organizationId, runId: id, secretId: String(after.secret_id) };
  }
  if (kind === "trajectory" && after !== undefined) {
    const objectKeys = ["trajectory_data", "screens"].flatMap((name) => {
      const key = objectKeyOf(before?.[name]);
      return key === undefined || key === objectKeyOf(after[name]) ? [] : [key];
    });
    return objectKeys.length === 0 ? undefined : { kind: "objects_replaced", organizationId, objectKeys };
  }
  if (kind === "connection" && after === undefined) {
    return { kind: "connection_expired", organizationId, connectionId: id };
  }
  return undefined;
}

/** A run that has ended with this change; undefined for every other. */
export function readEndedRun(record: TableStreamRecord): CountedRun | undefined {
  const { before, after } = imagesOf(record);
  if (after?.kind !== "run" || before?.status === after.status) return undefined;
  return terminalRunStatuses.some((status) => status === after.status) ? countedRun.parse(after) : undefined;
}

/** The attributes that are read here. */
export function changeAttributes(): readonly string[] {
  return [
    ...["act", "deleted_at", "secret_id", "trajectory_data", "screens"],
    ...executionRow.attributes("cursor"),
    ...countedRun.attributes(),
  ];
}

/** Only with a secret: all other effects of its end are written with it. */
function hasEnded(before: Item | undefined, after: Item): boolean {
  if (before?.status === after.status || after.deleted_at !== undefined) return false;
  return after.secret_id !== undefined && terminalRunStatuses.some((status) => status === after.status);
}

/** The object key of a heavy field in the bucket. */
function objectKeyOf(attribute: unknown): string | undefined {
  const spilled = SpilledAttribute.safeParse(attribute);
  return spilled.success && "key" in spilled.data ? spilled.data.key : undefined;
}

/** The item before and after the change; undefined where it did not exist. */
export function imagesOf({ dynamodb }: TableStreamRecord): {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
} {
  return { before: image(dynamodb?.OldImage), after: image(dynamodb?.NewImage) };
}

/** Binary attributes stay base64 text here, unlike the SDK's; none of these kinds has any. */
function image(attributes: Readonly<Record<string, unknown>> | undefined): Item | undefined {
  return attributes && fromAttributes(attributes as Record<string, AttributeValue>);
}
