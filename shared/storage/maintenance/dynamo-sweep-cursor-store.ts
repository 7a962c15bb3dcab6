import type {
  SweepCursor,
  SweepCursorStore,
  SweptListing,
} from "../../domain/maintenance/sweep-cursor-store.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { hasValue, isNew } from "../table/expression.ts";

import { sweepCursorKey } from "../table/keys.ts";
import { number, orElse, orNull, row, text } from "../table/row.ts";

const cursorRow = row<Omit<SweepCursor, "listing">>("sweep_cursor", {
  position: orNull(text),
  notBeforeMs: number,
  heldBack: orElse(number, 0),
  revision: number,
});

export class DynamoSweepCursorStore extends DynamoStore implements SweepCursorStore {
  async find(listing: SweptListing): Promise<SweepCursor | undefined> {
    const item = await this.table.get(sweepCursorKey(listing));
    return item && { listing, ...cursorRow.parse(item) };
  }

  async replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean> {
    const item = { ...sweepCursorKey(cursor.listing), ...cursorRow.write(cursor) };
    const outcome = await this.table.put(
      item,
      before === undefined ? isNew : hasValue("revision", before.revision),
    );
    return outcome.kind === "written";
  }
}
