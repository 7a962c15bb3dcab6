import { isoTimestamp } from "../../domain/clock.ts";
import { type EncryptedPlace, Undecryptable } from "../../domain/encryption.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import {
  attemptsKept,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryJob,
} from "../../domain/webhook/delivery/delivery.ts";
import {
  type Begun,
  type DeliveryStore,
  deliveryDays,
  type WebhookMessage,
} from "../../domain/webhook/delivery/delivery-store.ts";
import { attemptMs } from "../../domain/webhook/delivery/sends.ts";
import { deliveryStatuses, type WebhookEventType } from "../../vocabulary/events.ts";
import { dayMs } from "../../vocabulary/time.ts";
import { listEntities } from "../entity/entity-list.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, hasValue, isNew } from "../table/expression.ts";
import { createdAttributes, filterPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { webhookDeliveryKey, webhookMessageKey } from "../table/keys.ts";
import { createdWithin } from "../table/query.ts";
import {
  bytes,
  type Field,
  json,
  number,
  oneOf,
  orElse,
  orNull,
  revisedFields,
  row,
  text,
} from "../table/row.ts";

const deliveryRow = row<Delivery>("webhook_delivery", {
  ...revisedFields,
  endpointId: text,
  eventId: text,
  // A delivery stays readable when its event is no longer sent.
  eventType: text as Field<WebhookEventType>,
  status: oneOf(deliveryStatuses),
  attempts: json<readonly DeliveryAttempt[]>(),
  nextAttemptAt: orNull(text),
  round: number,
  roundStartedAt: text,
});

const parseDelivery = deliveryRow.parse;

/** The last attempt of the round that was begun. Its start is there until its outcome is. */
const begunRow = row<{
  readonly attemptNumber: number;
  readonly attemptStart: string | null;
  readonly attemptUntilMs: number;
}>("webhook_delivery", {
  attemptNumber: orElse(number, 0),
  attemptStart: orNull(text),
  attemptUntilMs: orElse(number, 0),
});

interface MessageRow {
  readonly eventId: string;
  /** The body is encrypted. */
  readonly body: Uint8Array;
}

const messageRow = row<MessageRow>("webhook_message", { eventId: text, body: bytes });

/** The last redelivery takes days as well; a data key is kept for 35 days after its last encryption. */
const messageDays = deliveryDays + 4;

export class DynamoDeliveryStore extends DynamoStore<StoreDeps> implements DeliveryStore {
  async putMessage({ organizationId, eventId, body, createdAt }: WebhookMessage): Promise<void> {
    const place = placeOf(organizationId, eventId);
    const encrypted = await this.table.encryption.encrypt(place, Buffer.from(body, "utf8"));
    const item = {
      ...webhookMessageKey(organizationId, eventId),
      ...messageRow.write({ eventId, body: encrypted }),
      ttl: ttlOf(createdAt, messageDays),
    };
    await this.table.put(item, isNew);
  }

  async create(delivery: Delivery): Promise<void> {
    const { organizationId, endpointId, createdAt } = delivery;
    const item = {
      ...keyOf(delivery),
      ...deliveryRow.write(delivery),
      ...createdAttributes(delivery, {
        filter1: filterPartitions.deliveriesByEndpoint(organizationId, endpointId),
      }),
      ttl: ttlOf(createdAt, deliveryDays),
    };
    await this.table.put(item, isNew);
  }

  async find(organizationId: OrganizationId, id: string): Promise<Delivery | undefined> {
    const item = await this.table.get(webhookDeliveryKey(organizationId, id));
    const delivery = item && parseDelivery(item);
    return delivery && delivery.createdAt >= this.#oldest() ? delivery : undefined;
  }

  async findBody(organizationId: OrganizationId, eventId: string): Promise<string | undefined> {
    const item = await this.table.get(webhookMessageKey(organizationId, eventId));
    return item && (await this.#decrypt(organizationId, messageRow.parse(item)));
  }

  async begin({ organizationId, deliveryId, round, number: attempt }: DeliveryJob, startId: string) {
    const nowMs = this.deps.clock.now();
    const begun = { attemptNumber: attempt, attemptStart: startId, attemptUntilMs: nowMs + attemptMs };
    const isUnderWay = "attempt_number = :attempt AND attribute_exists(attempt_start)";
    const outcome = await this.table.update(
      webhookDeliveryKey(organizationId, deliveryId),
      { set: begunRow.set(begun) },
      allOf(hasValue("round", round), hasValue("status", "pending"), {
        expression: `(attribute_not_exists(attempt_number) OR attempt_number < :attempt OR (${isUnderWay} AND (attempt_start = :start OR attempt_until_ms < :now)))`,
        values: { attempt, start: startId, now: nowMs },
      }),
    );
    if (outcome.kind === "updated") return { kind: "begun" as const, delivery: parseDelivery(outcome.item) };
    return outcome.item === undefined
      ? ({ kind: "over", status: "cancelled" } as const)
      : refusedAttempt(outcome.item, { round, attempt });
  }

  async list(organizationId: OrganizationId, endpointId: string, page: PageRequest): Promise<Page<Delivery>> {
    const partition = filterPartitions.deliveriesByEndpoint(organizationId, endpointId);
    const within = createdWithin({ createdAtFrom: this.#oldest() });
    return await listEntities(
      this.table,
      {
        organizationId,
        rows: { index: "filter1", partitions: [partition], ...within },
        parse: parseDelivery,
        isLiving: () => true,
      },
      page,
    );
  }

  async note(delivery: Delivery, { status, nextAttemptAt, attempt }: Parameters<DeliveryStore["note"]>[1]) {
    const attempts = attempt && [...delivery.attempts, attempt].slice(-attemptsKept);
    const { round } = delivery;
    await this.table.update(
      keyOf(delivery),
      deliveryRow.change({ status, nextAttemptAt, attempts }, begunRow.set({ attemptStart: null })),
      hasValue("round", round),
    );
  }

  async beginRound(organizationId: OrganizationId, id: string): Promise<Delivery | undefined> {
    const now = isoTimestamp(this.deps.clock.now());
    const noneBegun = begunRow.set({ attemptNumber: 0, attemptStart: null, attemptUntilMs: 0 });
    const change = deliveryRow.change(
      { status: "pending", nextAttemptAt: now, roundStartedAt: now },
      noneBegun,
    );
    const outcome = await this.table.update(
      webhookDeliveryKey(organizationId, id),
      { ...change, add: { ...change.add, round: 1 } },
      { expression: "attribute_exists(pk)" },
    );
    return outcome.kind === "updated" ? parseDelivery(outcome.item) : undefined;
  }

  async #decrypt(organizationId: OrganizationId, { eventId, body }: MessageRow): Promise<string | undefined> {
    try {
      const plain = await this.table.encryption.decrypt(placeOf(organizationId, eventId), body);
      return new TextDecoder().decode(plain);
    } catch (cause) {
      // A message whose data key is gone counts as gone.
      if (cause instanceof Undecryptable) return undefined;
      throw cause;
    }
  }

  #oldest(): string {
    return isoTimestamp(this.deps.clock.now() - deliveryDays * dayMs);
  }
}

/** The delivery as it was when an attempt could not begin. */
function refusedAttempt(
  item: Item,
  { round, attempt }: { readonly round: number; readonly attempt: number },
): Begun {
  const { status, nextAttemptAt, round: current } = parseDelivery(item);
  const { attemptNumber, attemptStart, attemptUntilMs } = begunRow.parse(item);
  const isIts = status === "pending" && current === round && attemptNumber === attempt;
  if (isIts && attemptStart !== null) return { kind: "elsewhere", untilMs: attemptUntilMs };
  return isIts && nextAttemptAt !== null ? { kind: "made", nextAttemptAt } : { kind: "over", status };
}

function keyOf({ organizationId, id }: Delivery) {
  return webhookDeliveryKey(organizationId, id);
}

function placeOf(organizationId: OrganizationId, eventId: string): EncryptedPlace {
  return { organizationId, purpose: "webhook-message", ...webhookMessageKey(organizationId, eventId) };
}

function ttlOf(createdAt: string, days: number): number {
  return Math.ceil((Date.parse(createdAt) + days * dayMs) / 1_000);
}
