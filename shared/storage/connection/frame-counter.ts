import type { ConnectionName } from "../../domain/connection/connection-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { allOf, type Change, type Condition, isThere } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { connectionKey, machineKey } from "../table/keys.ts";
import { countPrefix, frameWindow, isCurrent } from "./connection-writes.ts";
import { remember } from "./remember.ts";

interface CountedFrame {
  readonly item: Item;
  readonly frames: number;
}

interface HeardFrames {
  readonly window: number;
  readonly frames: number;
}

/** A driver's frames are counted on the machine of a current connection, and otherwise on the connection's own row. */
export class FrameCounter {
  readonly #table: Pick<DynamoTable, "update">;
  /** The window that this instance last counted in is a guess that saves a write. */
  readonly #windows = new Map<string, number>();
  /** The frames that this instance knows of: those it has heard itself, and what it has read. */
  readonly #heard = new Map<string, HeardFrames>();

  constructor(table: Pick<DynamoTable, "update">) {
    this.#table = table;
  }

  noteBegun(websocketId: string, nowMs: number): void {
    remember(this.#windows, websocketId, frameWindow(nowMs));
  }

  countHere(websocketId: string, nowMs: number): number {
    const window = frameWindow(nowMs);
    const frames = this.#heardIn(websocketId, window) + 1;
    remember(this.#heard, websocketId, { window, frames });
    return frames;
  }

  /** Writes nothing and returns undefined when it is not the machine's current connection. */
  async countCurrent(
    { organizationId, machineId, id }: ConnectionName,
    websocketId: string,
    nowMs: number,
    change: Change = {},
  ): Promise<CountedFrame | undefined> {
    return await this.count(websocketId, nowMs, {
      key: machineKey(organizationId, machineId),
      prefix: countPrefix,
      change,
      condition: allOf(isCurrent({ id }), { expression: "attribute_not_exists(deleted_at)" }),
      isIts: (found) => found?.connection_id === id && found.deleted_at === undefined,
    });
  }

  async countOther(
    { organizationId, id }: ConnectionName,
    websocketId: string,
    nowMs: number,
  ): Promise<CountedFrame | undefined> {
    return await this.count(websocketId, nowMs, {
      key: connectionKey(organizationId, id),
      prefix: "",
      change: {},
      condition: isThere,
      isIts: (found) => found !== undefined,
    });
  }

  #heardIn(websocketId: string, window: number): number {
    const heard = this.#heard.get(websocketId);
    return heard?.window === window ? heard.frames : 0;
  }

  /** Exactly one of the two conditions holds for the counted item. */
  async count(
    websocketId: string,
    nowMs: number,
    counted: {
      readonly key: Key;
      readonly prefix: string;
      readonly change: Change;
      readonly condition: Condition;
      readonly isIts: (item: Item | undefined) => boolean;
    },
  ): Promise<CountedFrame | undefined> {
    const { key, change, condition } = counted;
    const [frames, begun] = [`${counted.prefix}frames`, `${counted.prefix}frame_window`];
    const window = frameWindow(nowMs);
    const values = { window };
    const add = {
      change: { ...change, add: { [frames]: 1 } },
      when: { expression: `${begun} >= :window`, values },
    };
    const begin = {
      change: { ...change, set: { ...change.set, [begun]: window, [frames]: 1 } },
      when: { expression: `(attribute_not_exists(${begun}) OR ${begun} < :window)`, values },
    };
    for (const way of this.#windows.get(websocketId) === window ? [add, begin] : [begin, add]) {
      const outcome = await this.#table.update(key, way.change, allOf(condition, way.when));
      if (outcome.kind === "updated") {
        const count = Number(outcome.item[frames]);
        remember(this.#windows, websocketId, window);
        remember(this.#heard, websocketId, {
          window,
          frames: Math.max(count, this.#heardIn(websocketId, window)),
        });
        return { item: outcome.item, frames: count };
      }
      if (!counted.isIts(outcome.item)) return undefined;
    }
    return undefined;
  }
}
