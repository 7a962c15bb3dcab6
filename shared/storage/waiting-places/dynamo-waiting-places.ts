import {
  type Wait,
  type WaitingPlace,
  type WaitingPlaces,
  type WaitKind,
  waitsAtMost,
} from "../../domain/waiting-places/waiting-places.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import type { Change, Condition } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { hexDigest } from "../table/key-parts.ts";
import { waitsKey, waitsShardKey } from "../table/keys.ts";
import { leaseAttribute, withoutEnded } from "../table/leased-sets.ts";

const keptSeconds = 24 * 3_600;

/** With so few places in a row, its writes stay far below what a partition takes. */
const shardPlacesMax = 25;

/** Ended places are removed in parts. */
const triesMax = 10;

const waiting = "waiting";

const rowKinds = {
  run: { organization: "waits", shard: "waits_shard" },
  look: { organization: "looks", shard: "looks_shard" },
} as const satisfies Record<WaitKind, unknown>;

export interface WaitingPlacesDeps extends StoreDeps {
  readonly waitKind: WaitKind;
  /** The number of places of all organizations together. */
  readonly waitsMax: number;
}

interface Row {
  readonly key: Key;
  readonly attributes: Item;
  /** The sets that get the element, each with the number that it may have. */
  readonly sets: Readonly<Record<string, number>>;
}

/** A place is an element in the row of its organization, and in one shard of those of all organizations. */
export class DynamoWaitingPlaces extends DynamoStore<WaitingPlacesDeps> implements WaitingPlaces {
  async take(wait: Wait): Promise<WaitingPlace | undefined> {
    const organization = this.#organizationRow(wait);
    if (!(await this.#take(organization, wait))) return undefined;
    for (const shard of this.#shardsInTurn(wait)) {
      if (await this.#take(this.#shardRow(shard), wait)) return { wait, shard };
    }
    await this.#giveBack(organization, wait);
    return undefined;
  }

  async giveBack({ wait, shard }: WaitingPlace): Promise<void> {
    const rows = [this.#organizationRow(wait), this.#shardRow(shard)];
    await Promise.all(rows.map((row) => this.#giveBack(row, wait)));
  }

  #organizationRow({ organizationId, holder }: Wait): Row {
    const { waitKind, waitsMax } = this.deps;
    const { ofHolder, ofOrganization } = waitsAtMost(waitKind, waitsMax);
    return {
      key: waitsKey(organizationId, waitKind),
      attributes: { kind: rowKinds[waitKind].organization, organization_id: organizationId },
      sets: { [waiting]: ofOrganization, [`key_${hexDigest(holder)}`]: ofHolder },
    };
  }

  #shardRow(shard: number): Row {
    const places = Math.floor((this.deps.waitsMax + shard) / this.#shards);
    const { waitKind } = this.deps;
    const attributes = { kind: rowKinds[waitKind].shard };
    return { key: waitsShardKey(shard, waitKind), attributes, sets: { [waiting]: places } };
  }

  get #shards(): number {
    return Math.ceil(this.deps.waitsMax / shardPlacesMax);
  }

  /** The last digits of an id are random. */
  #shardsInTurn({ id }: Wait): readonly number[] {
    const first = Number.parseInt(elementOf({ id }), 16) || 0;
    return Array.from({ length: this.#shards }, (_, tried) => (first + tried) % this.#shards);
  }

  async #take(row: Row, wait: Wait): Promise<boolean> {
    const element = elementOf(wait);
    const mine = new Set([element]);
    const change = {
      set: { [leaseAttribute(element)]: wait.leaseUntilMs },
      add: Object.fromEntries(Object.keys(row.sets).map((name) => [name, mine])),
    };
    for (let tries = 0; tries < triesMax; tries += 1) {
      const outcome = await this.#update(row, change, hasRoom(row, element));
      if (outcome.kind === "updated") return true;
      const removal = withoutEnded(outcome.item, this.deps.clock.now());
      if (removal === undefined) return false;
      // Others may remove the same at the same time, and take what it frees.
      await this.#update(row, removal.change, removal.condition);
    }
    return false;
  }

  async #giveBack(row: Row, wait: Wait): Promise<void> {
    const element = elementOf(wait);
    const sets = Object.keys(row.sets).map((name) => [name, new Set([element])]);
    await this.#update(row, { delete: Object.fromEntries(sets), remove: [leaseAttribute(element)] });
  }

  async #update({ key, attributes }: Row, change: Change, condition?: Condition) {
    const ttl = Math.ceil(this.deps.clock.now() / 1_000) + keptSeconds;
    return await this.table.update(key, { ...change, set: { ...attributes, ttl, ...change.set } }, condition);
  }
}

/** The element may be there after a lost response. */
function hasRoom({ sets }: Row, element: string): Condition {
  const names = Object.keys(sets);
  const rooms = names.map((name, place) => `(attribute_not_exists(${name}) OR size(${name}) < :max${place})`);
  const values = names.map((name, place) => [`max${place}`, sets[name]]);
  return {
    expression: `contains(${waiting}, :element) OR ${rooms.join(" AND ")}`,
    values: { element, ...Object.fromEntries(values) },
  };
}

function elementOf({ id }: Pick<Wait, "id">): string {
  return id.slice(-8);
}
