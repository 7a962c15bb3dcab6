import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { sendTimeoutMs } from "../../domain/webhook/delivery/webhook-sender.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook-endpoint.ts";
import {
  type CreateEndpointOutcome,
  type EndpointFailure,
  type EndpointSlot,
  type EndpointWithSlots,
  endpointSlots,
  type RemoveEndpointOutcome,
  turnMs,
  type UpdateEndpointOutcome,
  type WebhookEndpointChange,
  type WebhookEndpointStore,
} from "../../domain/webhook/webhook-endpoint-store.ts";
import { type DisabledReason, webhookEndpointsMax } from "../../vocabulary/events.ts";
import { updateEntity, writeAsRead } from "../entity/update-entity.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import { listedCountWrite } from "../table/counters.ts";
import {
  allOf,
  type Change,
  type Condition,
  hasValue,
  isNew,
  isThere,
  put,
  remove,
  type Write,
} from "../table/expression.ts";
import { counterShardOf, listedKey, listedPartition, listedRange, webhookSlotKey } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { endpointItem, endpointRow, parseEndpoint } from "./endpoint-item.ts";

type Refusal = Exclude<UpdateEndpointOutcome, { readonly kind: "updated" }>;

/** The lease outlasts an attempt. */
const leaseMs = sendTimeoutMs + 15_000;

export class DynamoWebhookEndpointStore extends IdempotentStore implements WebhookEndpointStore {
  async find(organizationId: OrganizationId, id: string): Promise<WebhookEndpoint | undefined> {
    const item = await this.table.get(listedKey(organizationId, "WEBHOOK_ENDPOINTS", id));
    return item && parseEndpoint(item);
  }

  async list(organizationId: OrganizationId): Promise<readonly WebhookEndpoint[]> {
    const partition = listedPartition(organizationId, "WEBHOOK_ENDPOINTS");
    const rows = { partition, ...listedRange, isDescending: true };
    return (await queryItems(this.table, rows)).map(parseEndpoint);
  }

  async create(endpoint: WebhookEndpoint, idempotency?: Idempotency): Promise<CreateEndpointOutcome> {
    const { failed } = await this.transact(idempotency, endpoint, {
      limit: count(endpoint.organizationId, 1),
      endpoint: put(endpointItem(endpoint), isNew),
    });
    if (failed === "endpoint") throw new Error("a webhook endpoint with this id is there already");
    return { kind: failed === "limit" ? "limit_reached" : "created" };
  }

  async update(
    organizationId: OrganizationId,
    id: string,
    change: WebhookEndpointChange,
    { idempotency, before }: Parameters<WebhookEndpointStore["update"]>[3] = {},
  ): Promise<UpdateEndpointOutcome> {
    const isSame: Condition | undefined = before && hasValue("secret_name", before.secretName);
    const outcome = await updateEntity<WebhookEndpoint, Refusal>(this.deps, {
      what: "the webhook endpoint",
      key: listedKey(organizationId, "WEBHOOK_ENDPOINTS", id),
      parse: parseEndpoint,
      change,
      write: endpointRow.change(change),
      idempotency,
      condition: isSame ? allOf(isThere, isSame) : isThere,
      refuse: (current) => {
        if (current === undefined) return { kind: "not_found" };
        return before && before.secretName !== current.secretName ? { kind: "changed" } : undefined;
      },
    });
    return outcome.kind === "updated" ? { kind: "updated", endpoint: outcome.entity } : outcome;
  }

  async remove(
    organizationId: OrganizationId,
    id: string,
    idempotency?: Idempotency,
  ): Promise<RemoveEndpointOutcome> {
    const key = listedKey(organizationId, "WEBHOOK_ENDPOINTS", id);
    const of = { what: "the webhook endpoint", idempotency };
    return await writeAsRead<RemoveEndpointOutcome>(this.deps, of, async () => {
      const item = await this.table.get(key);
      if (item === undefined) return { refused: { kind: "not_found" } };
      const { secretName } = parseEndpoint(item);
      // A secret named since would be left behind.
      const asRead = hasValue("secret_name", secretName);
      return {
        parts: { endpoint: remove(key, asRead), count: count(organizationId, -1) },
        outcome: { kind: "removed", secretName },
        result: null,
      };
    });
  }

  async findWithSlots(organizationId: OrganizationId, id: string): Promise<EndpointWithSlots | undefined> {
    const slots = Array.from({ length: endpointSlots }, (_, number) =>
      webhookSlotKey(organizationId, id, number),
    );
    const items = await this.table.batchGet([listedKey(organizationId, "WEBHOOK_ENDPOINTS", id), ...slots]);
    const endpoint = items.find(({ kind }) => kind === "webhook_endpoint");
    if (endpoint === undefined) return undefined;
    const now = this.deps.clock.now();
    const taken = new Set(
      items.flatMap(({ sk, lease_until_ms: until }) => (Number(until) >= now ? [String(sk)] : [])),
    );
    const freeSlots = slots.flatMap(({ sk }, number) => (taken.has(sk) ? [] : [number]));
    return { endpoint: parseEndpoint(endpoint), freeSlots };
  }

  async takeSlot(
    { endpoint: { organizationId, id: endpointId }, freeSlots }: EndpointWithSlots,
    deliveryId: string,
  ): Promise<EndpointSlot | undefined> {
    const nowMs = this.deps.clock.now();
    // Concurrent deliveries begin with different slots.
    const first = Number(counterShardOf(deliveryId)) % endpointSlots;
    const order = [...freeSlots.filter((each) => each >= first), ...freeSlots.filter((each) => each < first)];
    for (const number of order) {
      const slot = { organizationId, endpointId, deliveryId, number };
      const leaseUntilMs = nowMs + leaseMs;
      const item = {
        ...keyOf(slot),
        kind: "webhook_slot",
        delivery_id: deliveryId,
        lease_until_ms: leaseUntilMs,
        ttl: Math.ceil(leaseUntilMs / 1_000) + 3_600,
      };
      const outcome = await this.table.put(item, {
        expression: "attribute_not_exists(pk) OR lease_until_ms < :now",
        values: { now: nowMs },
      });
      // A slot with this delivery's id was written by this call: only the response to an earlier attempt was lost.
      if (outcome.kind === "written" || outcome.item?.delivery_id === deliveryId) return slot;
    }
    return undefined;
  }

  async giveBackSlot(slot: EndpointSlot): Promise<void> {
    const condition = hasValue("delivery_id", slot.deliveryId);
    await this.table.delete(keyOf(slot), condition);
  }

  async takeTurn(endpoint: WebhookEndpoint): Promise<boolean> {
    const now = this.deps.clock.now();
    const isDue: Condition = {
      expression: "attribute_exists(pk) AND (attribute_not_exists(next_try_at_ms) OR next_try_at_ms <= :now)",
      values: { now },
    };
    const change = { set: endpointRow.set({ nextTryAtMs: now + turnMs }) };
    const outcome = await this.table.update(keyOfEndpoint(endpoint), change, isDue);
    return outcome.kind === "updated";
  }

  async noteFailure(
    endpoint: WebhookEndpoint,
    { at, isTimeout }: EndpointFailure,
  ): Promise<WebhookEndpoint | undefined> {
    return await this.#change(endpoint, {
      compute: { failing_since: "if_not_exists(failing_since, :at)" },
      values: { at },
      ...(isTimeout && { add: { timeouts: 1 } }),
      set: endpointRow.set(
        isTimeout ? { nextTryAtMs: this.deps.clock.now() + turnMs } : { timeouts: 0, nextTryAtMs: null },
      ),
    });
  }

  async noteSuccess(endpoint: WebhookEndpoint): Promise<void> {
    if (endpoint.failingSince === null) return;
    await this.#change(endpoint, {
      set: endpointRow.set({ failingSince: null, timeouts: 0, nextTryAtMs: null }),
    });
  }

  async switchOff(endpoint: WebhookEndpoint, disabledReason: DisabledReason): Promise<void> {
    await this.#change(endpoint, { set: endpointRow.set({ isEnabled: false, disabledReason }) });
  }

  async #change(endpoint: WebhookEndpoint, change: Change): Promise<WebhookEndpoint | undefined> {
    const condition = hasValue("url", endpoint.url);
    const outcome = await this.table.update(keyOfEndpoint(endpoint), change, condition);
    return outcome.kind === "updated" ? parseEndpoint(outcome.item) : undefined;
  }
}

function keyOfEndpoint({ organizationId, id }: WebhookEndpoint) {
  return listedKey(organizationId, "WEBHOOK_ENDPOINTS", id);
}

function keyOf({ organizationId, endpointId, number }: EndpointSlot) {
  return webhookSlotKey(organizationId, endpointId, number);
}

function count(organizationId: OrganizationId, by: 1 | -1): Write {
  return listedCountWrite(organizationId, "WEBHOOK_ENDPOINTS", by, webhookEndpointsMax);
}
