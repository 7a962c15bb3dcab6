import type {
  SweepCursor,
  SweepCursorStore,
  SweptListing,
} from "../../domain/maintenance/sweep-cursor-store.ts";
import type { DynamoTable, StoreDeps } from "../table/dynamo-table.ts";
import { sweepCursorKey } from "../table/keys.ts";
import { number, orNull, row, text } from "../table/row.ts";

const cursorRow = row<Omit<SweepCursor, "listing">>("sweep_cursor", {
  position: orNull(text),
  notBeforeMs: number,
  revision: number,
});

export class DynamoSweepCursorStore implements SweepCursorStore {
  readonly #table: DynamoTable;

  constructor({ table }: Pick<StoreDeps, "table">) {
    this.#table = table;
  }

  async find(listing: SweptListing): Promise<SweepCursor | undefined> {
    const item = await this.#table.get(sweepCursorKey(listing));
    return item && { listing, ...cursorRow.parse(item) };
  }

  async replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean> {
    const item = { ...sweepCursorKey(cursor.listing), ...cursorRow.write(cursor) };
    const outcome = await this.#table.put(
      item,
      before === undefined
        ? { expression: "attribute_not_exists(pk)" }
        : { expression: "revision = :before", values: { before: before.revision } },
    );
    return outcome.kind === "written";
  }
}
