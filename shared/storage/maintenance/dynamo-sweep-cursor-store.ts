import * as z from "zod";
import type {
  SweepCursor,
  SweepCursorStore,
  SweptListing,
} from "../../domain/maintenance/sweep-cursor-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { sweepCursorKey } from "../table/keys.ts";

const SweepCursorItem = z.object({
  kind: z.literal("sweep_cursor"),
  position: z.string().optional(),
  not_before_ms: z.number(),
  revision: z.number(),
});

export class DynamoSweepCursorStore implements SweepCursorStore {
  readonly #table: DynamoTable;

  constructor(table: DynamoTable) {
    this.#table = table;
  }

  async find(listing: SweptListing): Promise<SweepCursor | undefined> {
    const item = await this.#table.get(sweepCursorKey(listing));
    if (!item) return undefined;
    const { position = null, not_before_ms: notBeforeMs, revision } = SweepCursorItem.parse(item);
    return { listing, position, notBeforeMs, revision };
  }

  async replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean> {
    const item = {
      ...sweepCursorKey(cursor.listing),
      kind: "sweep_cursor",
      position: cursor.position ?? undefined,
      not_before_ms: cursor.notBeforeMs,
      revision: cursor.revision,
    };
    const outcome = await this.#table.put(
      item,
      before === undefined
        ? { expression: "attribute_not_exists(pk)" }
        : { expression: "revision = :before", values: { before: before.revision } },
    );
    return outcome.kind === "written";
  }
}
