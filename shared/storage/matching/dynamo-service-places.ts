import { randomUUID } from "node:crypto";
import type { Clock } from "../../domain/clock.ts";
import { hashOf } from "../../domain/hash-of.ts";
import type { InLine, ServicePlaces, ServicePlacesCount } from "../../domain/matching/service-places.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import { runMember } from "../execution/executions-under-way.ts";
import {
  allShards,
  freedAttribute,
  keptAttribute,
  memberOfPlace,
  parseShards,
  placeAdded,
  placesGivenBack,
  placesOfShard,
  type ServiceShard,
  serviceExecutionsKind,
} from "../execution/service-executions.ts";
import { lightAttributes, parseRun } from "../run/run-item.ts";
import { queryDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, hasValue, isAsRead, update } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import {
  keyBesideWhich,
  runKey,
  serviceExecutionsKey,
  serviceLineKey,
  serviceLinePartition,
} from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { number, orNull, row, tenant, text } from "../table/row.ts";

export interface ServicePlacesDeps extends StoreDeps {
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** The number of runs of all organizations that the service carries out at once. */
  readonly serviceExecutionsMax: number;
}

const lineRow = row<Omit<InLine, "refused">>("service_line", {
  organizationId: tenant,
  turnAtMs: number,
  writeId: text,
  idleAfter: orNull(text),
});

/** An organization that waits longer is refused again by the sweeper, and so joins again. */
const keptSeconds = 24 * 3_600;

/** The lag of an index is shorter, except when DynamoDB itself fails. */
const indexLagMs = 2_000;

/** @returns undefined without a maximum: the executions of all organizations have no limit then. */
export function servicePlacesOf({
  serviceExecutionsMax,
  ...deps
}: Omit<ServicePlacesDeps, "serviceExecutionsMax"> & {
  readonly serviceExecutionsMax: number | undefined;
}): DynamoServicePlaces | undefined {
  if (serviceExecutionsMax === undefined) return undefined;
  return new DynamoServicePlaces({ ...deps, serviceExecutionsMax });
}

export class DynamoServicePlaces extends DynamoStore<ServicePlacesDeps> implements ServicePlaces {
  get max(): number {
    return this.deps.serviceExecutionsMax;
  }

  /** An assignment tries this shard before any is read. */
  firstShard(assignmentId: string): number {
    const shards = allShards.filter((shard) => placesOfShard(shard, this.max) > 0).length;
    return (hashOf(assignmentId) >>> 0) % shards;
  }

  /** @param isTurn also finds places that are kept for the line. */
  async freeShard(assignmentId: string, isTurn: boolean): Promise<number | undefined> {
    const shards = await this.#read();
    const open = shards.filter(({ free, isKept }) => free > 0 && (isTurn || !isKept));
    return open[(hashOf(assignmentId) >>> 0) % Math.max(1, open.length)]?.shard;
  }

  async count(): Promise<ServicePlacesCount> {
    const underWay = (await this.#read()).reduce((sum, { running }) => sum + running.size, 0);
    return { underWay, max: this.max };
  }

  async join(organizationId: OrganizationId, refused: readonly string[]): Promise<void> {
    const now = this.deps.clock.now();
    const { kind, organization_id } = lineRow.write({
      organizationId,
      turnAtMs: now,
      writeId: "",
      idleAfter: null,
    });
    await this.table.update(serviceLineKey(organizationId), {
      set: { kind, organization_id, write_id: randomUUID(), ttl: this.#expiry() },
      compute: { turn_at_ms: "if_not_exists(turn_at_ms, :now)" },
      values: { now },
      add: { refused: new Set(refused) },
      // The idle rows that were read so far may be those of machines that are refused now.
      remove: ["idle_after"],
    });
    // A place that was given back before the shards were kept was no event.
    if ((await this.keep()) > 0) await this.#callLine();
  }

  async line(): Promise<readonly InLine[]> {
    const items = await queryItems(this.table, { partition: serviceLinePartition() });
    return items.map(parseInLine).sort((one, other) => one.turnAtMs - other.turnAtMs);
  }

  async keep(): Promise<number> {
    const shards = await this.#read();
    const open = shards.filter(({ isKept }) => !isKept);
    if (open.length === 0) return freeOf(shards);
    await Promise.all(
      open.map(({ shard }) =>
        this.table.update(serviceExecutionsKey(shard), {
          set: { kind: serviceExecutionsKind, [keptAttribute]: true },
        }),
      ),
    );
    return freeOf(await this.#read());
  }

  async release(): Promise<boolean> {
    const kept = (await this.#read()).filter(({ isKept }) => isKept);
    await Promise.all(
      kept.map(({ shard }) => this.table.update(serviceExecutionsKey(shard), { remove: [keptAttribute] })),
    );
    return kept.length > 0;
  }

  async beginTurn({ organizationId, turnAtMs }: InLine): Promise<InLine | undefined> {
    const now = Math.max(this.deps.clock.now(), turnAtMs + 1);
    const outcome = await this.table.update(
      serviceLineKey(organizationId),
      { set: { turn_at_ms: now, ttl: this.#expiry() } },
      hasValue("turn_at_ms", turnAtMs),
    );
    return outcome.kind === "updated" ? parseInLine(outcome.item) : undefined;
  }

  async endTurn(turn: InLine, { refused, idleAfter }: Pick<InLine, "refused" | "idleAfter">): Promise<void> {
    const key = serviceLineKey(turn.organizationId);
    const isSame = allOf(hasValue("write_id", turn.writeId), hasValue("turn_at_ms", turn.turnAtMs));
    if (refused.length === 0) {
      await this.table.delete(key, isSame);
      return;
    }
    const served = turn.refused.filter((one) => !refused.includes(one));
    if (served.length === 0 && idleAfter === turn.idleAfter) return;
    const change = { set: { idle_after: idleAfter } };
    await this.table.update(
      key,
      served.length === 0 ? change : { ...change, delete: { refused: new Set(served) } },
      isSame,
    );
  }

  /**
   * Safe while others begin and end runs: a place whose execution is listed neither after the index's lag nor after
   * another belongs to a run that is over. One listing is not enough, because an execution that becomes due at another
   * time is for a moment at neither place.
   */
  async recount(): Promise<number> {
    const before = await this.#read();
    const keys = await this.#listedAfterLag();
    const missingIn = (places: Iterable<string>, listed: readonly Key[]) => {
      const members = new Set(listed.map(({ pk }) => runMember(pk)));
      return [...places].filter((place) => !members.has(memberOfPlace(place)));
    };
    let missing = missingIn(
      before.flatMap(({ running }) => [...running]),
      keys,
    );
    if (missing.length > 0) missing = missingIn(missing, await this.#listedAfterLag());
    const now = await this.#read();
    let corrections = 0;
    for (const { shard, running } of now) {
      const stale = missing.filter((place) => running.has(place));
      if (stale.length === 0) continue;
      const { key, change } = placesGivenBack(shard, stale);
      await this.table.update(key, change);
      corrections += stale.length;
    }
    const counted = new Set(now.flatMap(({ running }) => [...running].map(memberOfPlace)));
    const uncounted = keys.filter(({ pk }) => !counted.has(runMember(pk)));
    const runs = (await this.table.batchGet(uncounted, lightAttributes())).map(parseRun);
    for (const run of runs) if (await this.#add(run)) corrections += 1;
    return corrections;
  }

  async #listedAfterLag(): Promise<readonly Key[]> {
    await this.deps.clock.sleep(indexLagMs);
    return (await queryDue(this.table, "OPEN#EXECUTION", {})).map(keyBesideWhich);
  }

  async #add(run: Run): Promise<boolean> {
    const { organizationId, id, status, executor, assignmentId } = run;
    if (status !== "running" || executor !== "service") return false;
    const shard = run.serviceShard ?? this.firstShard(assignmentId ?? id);
    const { failed } = await this.table.transact({
      run: update(
        runKey(organizationId, id),
        { set: { service_shard: shard }, add: { revision: 1 } },
        isAsRead(run),
      ),
      place: placeAdded(run, shard),
    });
    return failed === undefined;
  }

  /** The place that is free already is an event like one that becomes free. */
  async #callLine(): Promise<void> {
    const [first = 0] = allShards;
    await this.table.update(serviceExecutionsKey(first), {
      set: { kind: serviceExecutionsKind, [keptAttribute]: true, [freedAttribute]: randomUUID() },
    });
  }

  async #read(): Promise<readonly ServiceShard[]> {
    const keys = allShards.map(serviceExecutionsKey);
    return parseShards(await this.table.batchGet(keys), this.max);
  }

  #expiry(): number {
    return Math.ceil(this.deps.clock.now() / 1_000) + keptSeconds;
  }
}

function freeOf(shards: readonly ServiceShard[]): number {
  return shards.reduce((sum, { free }) => sum + free, 0);
}

function parseInLine(item: Item): InLine {
  const refused = item.refused instanceof Set ? [...item.refused].map(String) : [];
  return { ...lineRow.parse(item), refused };
}
