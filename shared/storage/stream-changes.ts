import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { z } from "zod";
import type { TableChange } from "../domain/maintenance/table-change.ts";
import { fromAttributes, type Item } from "./item.ts";

/** A record of the table's stream, as Lambda is given it: attribute values are DynamoDB's own JSON. */
export interface TableStreamRecord {
  readonly eventName?: string | undefined;
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        readonly NewImage?: Readonly<Record<string, unknown>> | undefined;
        readonly OldImage?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

const Entity = z.object({ kind: z.string(), id: z.string(), organization_id: z.string() });

/**
 * A machine's or a pool's deletion is its becoming marked, a connection's expiry the removal of its row (TTL is all that
 * removes one). Undefined for a change that leaves nothing to be done, and for kinds that are not looked at.
 */
export function readTableChange(record: TableStreamRecord): TableChange | undefined {
  const before = image(record.dynamodb?.OldImage);
  const after = image(record.dynamodb?.NewImage);
  const parsed = Entity.safeParse(after ?? before);
  if (!parsed.success) return undefined;
  const { kind, id, organization_id: organizationId } = parsed.data;
  const becameDeleted = after?.deleted_at !== undefined && before?.deleted_at === undefined;
  if (kind === "machine" && becameDeleted) return { kind: "machine_deleted", organizationId, machineId: id };
  if (kind === "pool" && becameDeleted) return { kind: "pool_deleted", organizationId, poolId: id };
  if (kind === "connection" && after === undefined) {
    return { kind: "connection_expired", organizationId, connectionId: id };
  }
  return undefined;
}

/** Binary attributes stay base64 text here, unlike the SDK's; none of these kinds has any. */
function image(attributes: Readonly<Record<string, unknown>> | undefined): Item | undefined {
  return attributes && fromAttributes(attributes as Record<string, AttributeValue>);
}
