import * as z from "zod";
import type { DeletableKind, DueDeletion, DueStore } from "../../domain/maintenance/deletions.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";

import { organizationIdAttribute } from "../table/row.ts";

const MarkedItem = z.object({ id: z.string(), organization_id: organizationIdAttribute });

export class DynamoDueStore extends DynamoStore implements DueStore {
  async listDeleted(kind: DeletableKind, untilMs: number, limit: number): Promise<readonly DueDeletion[]> {
    const attributes = Object.keys(MarkedItem.shape);
    const items = await readDue(this.table, `DELETED#${kind}`, { untilMs, limit, attributes });
    return items.map((item) => {
      const { id, organization_id: organizationId } = MarkedItem.parse(item);
      return { organizationId, id };
    });
  }
}
