import { randomUUID } from "node:crypto";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { DeliveryJob } from "../../domain/webhook/delivery/delivery.ts";
import { deliveryDays } from "../../domain/webhook/delivery/delivery-store.ts";
import {
  endpointSendsMax,
  type OrganizationSends,
  placeMs,
  type Send,
  type SendKind,
  type SendStore,
  sendOf,
  type Taken,
} from "../../domain/webhook/delivery/sends.ts";
import { dayMs } from "../../vocabulary/time.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { type Change, type Condition, hasValue } from "../table/expression.ts";
import { dueRow } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { listedKey, waitingSendKey, waitingSendRange, webhookSendsKey } from "../table/keys.ts";
import { leaseAttribute, leaseOf, withoutEnded } from "../table/leased-sets.ts";
import { queryItems } from "../table/query.ts";
import { number, row, tenant, text } from "../table/row.ts";
import { parseEndpoint } from "./endpoint-item.ts";
import { elementOf, parseSends, sendsAttributes } from "./sends-item.ts";

const waitingRow = row<DeliveryJob>("webhook_waiting", {
  organizationId: tenant,
  endpointId: text,
  deliveryId: text,
  eventId: text,
  round: number,
  number,
});

const sendsKind = "webhook_sends";

const sweptEveryMs = 60_000;

export interface SendStoreDeps extends StoreDeps {
  readonly organizationSendsMax: number;
}

export class DynamoSendStore extends DynamoStore<SendStoreDeps> implements SendStore {
  async load(send: Send) {
    const { organizationId, endpointId } = send;
    const items = await this.table.batchGet([
      listedKey(organizationId, "WEBHOOK_ENDPOINTS", endpointId),
      webhookSendsKey(organizationId),
    ]);
    const endpoint = items.find(({ kind }) => kind === "webhook_endpoint");
    const sends = items.find(({ kind }) => kind === sendsKind);
    return {
      endpoint: endpoint && parseEndpoint(endpoint),
      leaseUntilMs: leaseOf(sends, elementOf(send)),
    };
  }

  async take(send: Send, kind: SendKind): Promise<Taken> {
    const { organizationId, endpointId } = send;
    const nowMs = this.deps.clock.now();
    const element = elementOf(send);
    const mine = new Set([element]);
    const { inFlight, sendsOf } = sendsAttributes;
    const change = {
      set: { [leaseAttribute(element)]: nowMs + placeMs },
      // A test takes none of the endpoint's places.
      add: { [inFlight]: mine, ...(kind !== "test" && { [sendsOf(endpointId)]: mine }) },
    };
    const { organizationSendsMax: countMax } = this.deps;
    const condition = hasRoom(endpointId, kind, { element, nowMs, countMax });
    let outcome = await this.#update(organizationId, change, condition);
    if (outcome.kind === "failed" && (await this.#removeEnded(organizationId, outcome.item, nowMs))) {
      outcome = await this.#update(organizationId, change, condition);
    }
    const isHeld = kind === "waited" && leaseOf(outcome.item, element) >= nowMs;
    return {
      kind: outcome.kind === "updated" ? "taken" : isHeld ? "held" : "full",
      sends: parseSends(organizationId, outcome.item, { nowMs, countMax }),
    };
  }

  async end(send: Send, pausedUntilMs?: number | null): Promise<OrganizationSends> {
    const { organizationId, endpointId } = send;
    const element = elementOf(send);
    const mine = new Set([element]);
    const { inFlight, sendsOf, pauseOf } = sendsAttributes;
    return await this.#change(organizationId, {
      delete: { [inFlight]: mine, [sendsOf(endpointId)]: mine },
      set: { [leaseAttribute(element)]: null, [pauseOf(endpointId)]: pausedUntilMs },
    });
  }

  async wait(job: DeliveryJob): Promise<OrganizationSends> {
    const { organizationId, endpointId } = job;
    const nowMs = this.deps.clock.now();
    const ttl = Math.ceil((nowMs + deliveryDays * dayMs) / 1_000);
    await this.table.put({ ...waitingSendKey(job), ...waitingRow.write(job), ttl });
    const { due_pk, due_sk } = dueRow("WAITING#SENDS", organizationId, nowMs + sweptEveryMs);
    return await this.#change(organizationId, {
      set: {
        due_pk,
        [sendsAttributes.waitingFor(endpointId)]: true,
        [sendsAttributes.waitingToken]: randomUUID(),
      },
      compute: { due_sk: "if_not_exists(due_sk, :due)" },
      values: { due: due_sk },
    });
  }

  async firstWaiting(
    organizationId: OrganizationId,
    endpointId: string,
    others: ReadonlySet<string> = new Set(),
  ): Promise<DeliveryJob | undefined> {
    const { pk: partition } = webhookSendsKey(organizationId);
    const range = { partition, ...waitingSendRange(endpointId) };
    const first = await queryItems(this.table, range, others.size + 1);
    return first.map(waitingRow.parse).find((job) => !others.has(sendOf(job).id));
  }

  async stopWaiting(job: DeliveryJob): Promise<void> {
    await this.table.delete(waitingSendKey(job));
  }

  async noneWaiting(sends: OrganizationSends, endpointId: string): Promise<OrganizationSends> {
    const { organizationId, waitingToken, endpoints } = sends;
    const isLast = !endpoints.some(({ id, isWaitedFor }) => isWaitedFor && id !== endpointId);
    const due = isLast ? ["due_pk", "due_sk"] : [];
    return await this.#change(
      organizationId,
      { remove: [sendsAttributes.waitingFor(endpointId), ...due] },
      hasValue(sendsAttributes.waitingToken, waitingToken),
    );
  }

  async listDue(limit: number): Promise<readonly OrganizationSends[]> {
    const nowMs = this.deps.clock.now();
    const items = await readDue(this.table, "WAITING#SENDS", { untilMs: nowMs, limit });
    return await Promise.all(
      items.map(async (item) => {
        const organizationId = item.organization_id as OrganizationId;
        const { due_sk } = dueRow("WAITING#SENDS", organizationId, nowMs + sweptEveryMs);
        return await this.#change(
          organizationId,
          { set: { due_sk } },
          { expression: "attribute_exists(due_sk)" },
        );
      }),
    );
  }

  /** Returns whether there are others. */
  async #removeEnded(
    organizationId: OrganizationId,
    item: Item | undefined,
    nowMs: number,
  ): Promise<boolean> {
    const removal = withoutEnded(item, nowMs);
    if (removal === undefined) return false;
    await this.#update(organizationId, removal.change, removal.condition);
    return true;
  }

  async #change(
    organizationId: OrganizationId,
    change: Change,
    condition?: Condition,
  ): Promise<OrganizationSends> {
    const { item } = await this.#update(organizationId, change, condition);
    const { clock, organizationSendsMax: countMax } = this.deps;
    return parseSends(organizationId, item, { nowMs: clock.now(), countMax });
  }

  async #update(organizationId: OrganizationId, change: Change, condition?: Condition) {
    const ttl = Math.ceil((this.deps.clock.now() + dayMs) / 1_000);
    const set = { kind: sendsKind, organization_id: organizationId, ttl, ...change.set };
    return await this.table.update(webhookSendsKey(organizationId), { ...change, set }, condition);
  }
}

function hasRoom(
  endpointId: string,
  kind: SendKind,
  {
    element,
    nowMs,
    countMax,
  }: { readonly element: string; readonly nowMs: number; readonly countMax: number },
): Condition {
  const { inFlight, sendsOf, waitingFor, pauseOf } = sendsAttributes;
  const [sends, pause] = [sendsOf(endpointId), pauseOf(endpointId)];
  const ofOrganization = `(attribute_not_exists(${inFlight}) OR size(${inFlight}) < :all)`;
  const ofEndpoint = [
    `(attribute_not_exists(${pause}) OR (${pause} <= :now AND attribute_not_exists(${sends})))`,
    `(attribute_not_exists(${sends}) OR size(${sends}) < :one)`,
  ];
  const behindOthers = `attribute_not_exists(${waitingFor(endpointId)})`;
  const parts: Readonly<Record<SendKind, readonly string[]>> = {
    new: [ofOrganization, ...ofEndpoint, behindOthers],
    waited: [ofOrganization, ...ofEndpoint],
    late: [ofOrganization, ...ofEndpoint],
    test: [ofOrganization],
  };
  const hasPlace = `contains(${inFlight}, :element)`;
  const isFree = parts[kind].join(" AND ");
  return {
    expression: kind === "waited" ? `NOT ${hasPlace} AND ${isFree}` : `${hasPlace} OR ${isFree}`,
    values: {
      element,
      all: countMax,
      ...(kind !== "test" && { now: nowMs, one: endpointSendsMax }),
    },
  };
}
