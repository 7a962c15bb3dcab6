import type { OrganizationId } from "../../domain/organization-id.ts";
import type { CallsUnderWay, CallUnderWay } from "../../domain/tunnel/calls-under-way.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { callsUnderWayKey } from "../table/keys.ts";

const keptSeconds = 24 * 3_600;

/** With an attribute per call a write can add some and remove others, and be repeated. */
const callAttribute = /^call_/;

/** A call whose end was never recorded counts until its lease has ended. */
export function countCallsUnderWay(item: Item | undefined, nowMs: number): number {
  return leasesOf(item).filter(([, leaseUntilMs]) => leaseUntilMs >= nowMs).length;
}

export class DynamoCallsUnderWay extends DynamoStore<StoreDeps> implements CallsUnderWay {
  async begin({ organizationId, requestId }: CallUnderWay, leaseUntilMs: number): Promise<void> {
    const nowMs = this.deps.clock.now();
    const row = await this.#update(organizationId, { [attributeOf(requestId)]: leaseUntilMs }, []);
    const dead = leasesOf(row).filter(([, until]) => until < nowMs);
    // One expression accepts this many; the next write removes others.
    const names = dead.slice(0, 100).map(([name]) => name);
    if (names.length > 0) await this.#update(organizationId, {}, names);
  }

  async end({ organizationId, requestId }: CallUnderWay): Promise<void> {
    await this.#update(organizationId, {}, [attributeOf(requestId)]);
  }

  async #update(
    organizationId: OrganizationId,
    begun: Readonly<Record<string, number>>,
    ended: readonly string[],
  ): Promise<Item | undefined> {
    const ttl = Math.ceil(this.deps.clock.now() / 1_000) + keptSeconds;
    const set = { kind: "calls_under_way", organization_id: organizationId, ttl, ...begun };
    const { item } = await this.table.update(callsUnderWayKey(organizationId), { set, remove: ended });
    return item;
  }
}

function leasesOf(item: Item | undefined): readonly (readonly [string, number])[] {
  const calls = Object.entries(item ?? {}).filter(([name]) => callAttribute.test(name));
  return calls.map(([name, leaseUntilMs]) => [name, Number(leaseUntilMs)]);
}

/** The last digits of an id are random; 200 calls keep the row below 5 KB. */
function attributeOf(requestId: string): string {
  return `call_${requestId.slice(-8)}`;
}
