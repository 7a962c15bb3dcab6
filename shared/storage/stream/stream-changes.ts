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

/** Attribute values are DynamoDB's own JSON. */
export interface TableStreamRecord {
  /** The id is the same whenever the record is read again. */
  readonly eventID?: string | undefined;
  readonly eventName?: string | undefined;
  /** DynamoDB names itself if it wrote the change. */
  readonly userIdentity?: unknown;
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        /** The timestamp is in seconds since the epoch. */
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

/** Only TTL removes a connection's row. */
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

export function readEndedRun(record: TableStreamRecord): CountedRun | undefined {
  const { before, after } = imagesOf(record);
  if (after?.kind !== "run" || before?.status === after.status) return undefined;
  return terminalRunStatuses.some((status) => status === after.status) ? countedRun.parse(after) : undefined;
}

export function changeAttributes(): readonly string[] {
  return [
    ...["act", "deleted_at", "secret_id", "trajectory_data", "screens"],
    ...executionRow.attributes("cursor"),
    ...countedRun.attributes(),
  ];
}

/** All other effects of a run's end are written with it. */
function hasEnded(before: Item | undefined, after: Item): boolean {
  if (before?.status === after.status || after.deleted_at !== undefined) return false;
  return after.secret_id !== undefined && terminalRunStatuses.some((status) => status === after.status);
}

function objectKeyOf(attribute: unknown): string | undefined {
  const spilled = SpilledAttribute.safeParse(attribute);
  return spilled.success && "key" in spilled.data ? spilled.data.key : undefined;
}

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
