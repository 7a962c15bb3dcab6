import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook-endpoint.ts";
import type {
  CreateEndpointOutcome,
  EndpointFailure,
  RemoveEndpointOutcome,
  UpdateEndpointOutcome,
  WebhookEndpointChange,
  WebhookEndpointStore,
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
import { listedKey, listedPartition, listedRange } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { endpointItem, endpointRow, parseEndpoint } from "./endpoint-item.ts";

type Refusal = Exclude<UpdateEndpointOutcome, { readonly kind: "updated" }>;

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

  async noteFailure(
    endpoint: WebhookEndpoint,
    { at, isTimeout }: EndpointFailure,
  ): Promise<WebhookEndpoint | undefined> {
    return await this.#change(endpoint, {
      compute: { failing_since: "if_not_exists(failing_since, :at)" },
      values: { at },
      ...(isTimeout && { add: { timeouts: 1 } }),
      ...(!isTimeout && { set: endpointRow.set({ timeouts: 0 }) }),
    });
  }

  async noteSuccess(endpoint: WebhookEndpoint): Promise<void> {
    if (endpoint.failingSince === null) return;
    await this.#change(endpoint, {
      set: endpointRow.set({ failingSince: null, timeouts: 0 }),
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

function count(organizationId: OrganizationId, by: 1 | -1): Write {
  return listedCountWrite(organizationId, "WEBHOOK_ENDPOINTS", by, webhookEndpointsMax);
}
