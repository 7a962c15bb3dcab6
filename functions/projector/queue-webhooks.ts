import { forEachBounded } from "../../shared/domain/bounded-parallel.ts";
import type { ServiceEvent } from "../../shared/domain/events/service-event.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import type { RunStore } from "../../shared/domain/run/run-store.ts";
import type { SpillDeps } from "../../shared/domain/spill.ts";
import {
  type QueueDeliveryDeps,
  queueDelivery,
} from "../../shared/domain/webhook/delivery/queue-delivery.ts";
import {
  type WebhookEndpoint,
  wants,
  webhookEventTypeOf,
} from "../../shared/domain/webhook/webhook-endpoint.ts";
import type { WebhookEndpointStore } from "../../shared/domain/webhook/webhook-endpoint-store.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import type { WorkflowStore } from "../../shared/domain/workflow/workflow-store.ts";
import {
  presentConnectionWebhook,
  presentMachineWebhook,
  presentRunWebhook,
  presentScheduleWebhook,
} from "./present-webhook.ts";

export interface QueueWebhooksDeps<R> extends QueueDeliveryDeps {
  readonly files: Pick<SpillDeps["files"], "get">;
  readonly webhookEndpoints: Pick<WebhookEndpointStore, "list">;
  readonly workflows: Pick<WorkflowStore, "find">;
  readonly runs: Pick<RunStore, "find">;
  /** Returns the run after the change, or undefined for a record set aside, which has only ids and states. */
  readonly readRun: (record: R) => Run | undefined;
}

interface Read<R> {
  readonly record: R;
  readonly event: ServiceEvent;
}

/**
 * An organization's endpoints are read once; one without any costs nothing more. The organizations' events are queued
 * in turns, so that one with many keeps no other waiting.
 *
 * @param attempt as in `keepLines`
 */
export async function queueWebhooks<R>(
  deps: QueueWebhooksDeps<R>,
  read: readonly Read<R>[],
  attempt: (about: readonly R[], work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const groups = Map.groupBy(read, ({ event }) => organizationOf(event));
  const works: (readonly (() => Promise<void>)[])[] = [];
  await forEachBounded([...groups], async ([organizationId, group]) => {
    let endpoints: readonly WebhookEndpoint[] = [];
    const records = group.map(({ record }) => record);
    await attempt(records, async () => {
      endpoints = await deps.webhookEndpoints.list(organizationId);
    });
    if (!endpoints.some(({ isEnabled }) => isEnabled)) return;
    const findWorkflow = remembered((workflowId: string) => deps.workflows.find(organizationId, workflowId));
    works.push(
      group.map((each) => async () => {
        await attempt([each.record], async () => await queueOne(deps, each, endpoints, findWorkflow));
      }),
    );
  });
  await forEachBounded(inTurns(works), async (work) => await work());
}

function inTurns<T>(groups: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => turn).flatMap((turn) =>
    groups.flatMap((group) => group.slice(turn, turn + 1)),
  );
}

async function queueOne<R>(
  deps: QueueWebhooksDeps<R>,
  { record, event }: Read<R>,
  endpoints: readonly WebhookEndpoint[],
  findWorkflow: (workflowId: string) => Promise<Pick<Workflow, "isWebhooksEnabled"> | undefined>,
): Promise<void> {
  const type = webhookEventTypeOf(event.type);
  const wanting = endpoints.filter((endpoint) => wants(endpoint, type));
  if (wanting.length === 0) return;
  if (event.subject === "run") {
    // Deleting a workflow ends its waiting runs, which have a copy of its setting.
    const { isWebhooksEnabled } = (await findWorkflow(event.run.workflowId)) ?? event.run;
    if (!isWebhooksEnabled) return;
  }
  const { occurredAt } = event;
  const id = deps.deriveUuid7(Date.parse(occurredAt), event.id);
  const content = await contentOf(deps, record, event);
  if (content === undefined) return;
  const body = JSON.stringify({ event_id: id, event_type: type, occurred_at: occurredAt, ...content });
  const organizationId = organizationOf(event);
  await queueDelivery(deps, { id, organizationId, type, occurredAt, body }, wanting);
}

async function contentOf<R>(deps: QueueWebhooksDeps<R>, record: R, event: ServiceEvent) {
  switch (event.subject) {
    case "run": {
      const { organizationId, id } = event.run;
      const run = deps.readRun(record) ?? (await deps.runs.find(organizationId, id));
      return run && (await presentRunWebhook(deps, run));
    }
    case "machine":
      return presentMachineWebhook(event);
    case "schedule":
      return presentScheduleWebhook(event);
    case "connection":
      return presentConnectionWebhook(event);
  }
}

function organizationOf(event: ServiceEvent): OrganizationId {
  switch (event.subject) {
    case "run":
      return event.run.organizationId;
    case "machine":
      return event.machine.organizationId;
    case "schedule":
      return event.schedule.organizationId;
    case "connection":
      return event.connection.organizationId;
  }
}

function remembered<Value>(ask: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const asked = new Map<string, Promise<Value>>();
  return (key) => {
    const known = asked.get(key) ?? ask(key);
    asked.set(key, known);
    return known;
  };
}
