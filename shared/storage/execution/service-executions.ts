import type { Run } from "../../domain/run/run.ts";
import { executionShards } from "../../vocabulary/table.ts";
import { type Condition, update, type Write } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { serviceExecutionsKey } from "../table/keys.ts";
import { runMember, runningIn } from "./executions-under-way.ts";

/** The stream's filters recognize the row by this kind. */
export const serviceExecutionsKind = "service_executions";

/** An end sets this attribute and an assignment removes it, so that the stream's filter passes ends alone. */
export const freedAttribute = "freed_by";
/** While it is there, places of the shard are for the line alone. */
export const keptAttribute = "is_kept";

export interface ServiceShard {
  readonly shard: number;
  readonly running: ReadonlySet<string>;
  readonly isKept: boolean;
  readonly free: number;
}

export const allShards = Array.from({ length: executionShards }, (_, shard) => shard);

/** The places of all shards together are exactly the limit. */
export function placesOfShard(shard: number, max: number): number {
  return Math.floor((max + executionShards - 1 - shard) / executionShards);
}

/** Each assignment of a run has a place of its own, because its attempt differs. */
export function executionPlaceOf({ id, attempt }: Pick<Run, "id" | "attempt">): string {
  return `${runMember(id)}.${attempt}`;
}

export function memberOfPlace(place: string): string {
  return place.split(".")[0] ?? "";
}

export function placeTaken(
  run: Pick<Run, "id" | "attempt">,
  shard: number,
  { max, isTurn }: { readonly max: number; readonly isTurn: boolean },
): Write {
  const condition: Condition = {
    expression: `(attribute_not_exists(running) OR size(running) < :places)${isTurn ? "" : ` AND attribute_not_exists(${keptAttribute})`}`,
    values: { places: placesOfShard(shard, max) },
  };
  return { ...placeAdded(run, shard), condition };
}

/** A run that is already under way is also added above the limit. */
export function placeAdded(run: Pick<Run, "id" | "attempt">, shard: number) {
  return update(serviceExecutionsKey(shard), {
    set: { kind: serviceExecutionsKind },
    add: { running: new Set([executionPlaceOf(run)]) },
    remove: [freedAttribute],
  });
}

/** In a shard that is kept, this is the event that the line waits for. */
export function placesGivenBack(shard: number, places: readonly string[]) {
  return update(serviceExecutionsKey(shard), {
    set: { kind: serviceExecutionsKind, [freedAttribute]: places.join(" ") },
    delete: { running: new Set(places) },
  });
}

export function parseShards(items: readonly Item[], max: number): readonly ServiceShard[] {
  const byKey = new Map(items.map((item) => [item.pk, item]));
  return allShards.map((shard) => {
    const item = byKey.get(serviceExecutionsKey(shard).pk);
    const running = runningIn(item);
    const free = Math.max(0, placesOfShard(shard, max) - running.size);
    return { shard, running, isKept: item?.[keptAttribute] === true, free };
  });
}
