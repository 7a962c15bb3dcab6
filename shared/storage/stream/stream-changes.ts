import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { isDeletableKind } from "../../domain/maintenance/deletions.ts";
import type { TableChange } from "../../domain/maintenance/table-change.ts";
import { terminalStatuses } from "../../domain/run/run-status.ts";
import { fromAttributes, type Item } from "../table/item.ts";
import { organizationIdAttribute } from "../table/row.ts";
import { SpilledAttribute } from "../table/spilled-attributes.ts";

/** A record of the table's stream, as Lambda is given it: attribute values are DynamoDB's own JSON. */
export interface TableStreamRecord {
  /** The same whenever the record is read. */
  readonly eventID?: string | undefined;
  readonly eventName?: string | undefined;
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

const Entity = z.object({ kind: z.string(), id: z.string(), organization_id: organizationIdAttribute });

/**
 * A deletion is an entity's becoming marked, a run's end its becoming terminal (told when it has a secret), a connection's expiry the removal of its row (TTL is all that removes one);
 * a trajectory's row that names another object than before leaves the old one behind. Undefined for a change that leaves
 * nothing to be done, and for kinds that are not looked at.
 */
export function readTableChange(record: TableStreamRecord): TableChange | undefined {
  const { before, after } = imagesOf(record);
  const parsed = Entity.safeParse(after ?? before);
  if (!parsed.success) return undefined;
  const { kind, id, organization_id: organizationId } = parsed.data;
  const becameDeleted = after?.deleted_at !== undefined && before?.deleted_at === undefined;
  if (becameDeleted && isDeletableKind(kind)) return { kind: "deleted", entity: kind, organizationId, id };
  if (kind === "run" && after !== undefined && hasEnded(before, after)) {
    return { kind: "run_ended", organizationId, runId: id, secretName: String(after.secret_name) };
  }
  if (kind === "trajectory" && after !== undefined) {
    const objectKey = objectKeyOf(before?.trajectory_data);
    if (objectKey === undefined || objectKey === objectKeyOf(after.trajectory_data)) return undefined;
    return { kind: "object_replaced", organizationId, objectKey };
  }
  if (kind === "connection" && after === undefined) {
    return { kind: "connection_expired", organizationId, connectionId: id };
  }
  return undefined;
}

/** With a secret: whatever else its end means has been written with it. */
function hasEnded(before: Item | undefined, after: Item): boolean {
  if (before?.status === after.status || after.deleted_at !== undefined) return false;
  return after.secret_name !== undefined && terminalStatuses.some((status) => status === after.status);
}

/** Of a heavy field that lies in the bucket. */
function objectKeyOf(attribute: unknown): string | undefined {
  const spilled = SpilledAttribute.safeParse(attribute);
  return spilled.success && "key" in spilled.data ? spilled.data.key : undefined;
}

/** The item before and after the change; undefined when it was not there. */
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
