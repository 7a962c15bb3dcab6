import type { ApiClient } from "../../../../shared/client/api-client.ts";
import { ApiUnreachable } from "../../../../shared/client/api-error.ts";
import type { CallResponse } from "../../../../shared/client/call-types.ts";
import { Changes } from "../../follow/changes.ts";
import type { Context } from "../../program/context.ts";
import { sentenceOf } from "../../program/failures.ts";
import { printable } from "../../terminal/printable.ts";
import { styled } from "../../terminal/style.ts";
import type { Forward, Forwarded } from "./forward.ts";

type Delivery = CallResponse<"listWebhookDeliveries">["items"][number];

export interface ReadDeliveriesDeps extends Pick<Context, "terminal" | "form" | "signal"> {
  readonly client: Pick<ApiClient, "call">;
  readonly forward: Forward | undefined;
  /** @default 2,000 */
  readonly pollMs?: number;
}

const pageDeliveries = 100;

/** Hands on each delivery once, the oldest first, until the signal is aborted. */
export async function readDeliveries(deps: ReadDeliveriesDeps, endpoint_id: string): Promise<void> {
  const { signal, terminal, pollMs = 2_000 } = deps;
  const seen = new Set<string>();
  for (; !signal.aborted; await new Changes().after(0, signal, pollMs)) {
    try {
      for (const delivery of await newDeliveries(deps, endpoint_id, seen)) {
        if (signal.aborted) return;
        await handOn(deps, delivery);
        seen.add(delivery.id);
      }
    } catch (failure) {
      if (signal.aborted) return;
      // The listener goes on once the service can be reached again.
      if (!(failure instanceof ApiUnreachable)) throw failure;
      terminal.err(`das: ${sentenceOf(failure)}\n`);
    }
  }
}

/** The total is exact: while it is no larger than what was seen, the first page suffices. */
async function newDeliveries(
  { client, signal }: ReadDeliveriesDeps,
  endpoint_id: string,
  seen: ReadonlySet<string>,
): Promise<readonly Delivery[]> {
  const found = new Map<string, Delivery>();
  for (let skip = 0; ; skip += pageDeliveries) {
    const query = { skip, limit: pageDeliveries };
    const page = await client.call("listWebhookDeliveries", { path: { endpoint_id }, query, signal });
    for (const delivery of page.items) if (!seen.has(delivery.id)) found.set(delivery.id, delivery);
    if (page.items.length < pageDeliveries || seen.size + found.size >= page.total) break;
  }
  return [...found.values()].reverse();
}

async function handOn(deps: ReadDeliveriesDeps, { id, endpoint_id, event_id }: Delivery): Promise<void> {
  const { client, forward, signal, terminal, form } = deps;
  const path = { endpoint_id, delivery_id: id };
  const { body, event_type } = await client.call("getWebhookDelivery", { path, signal });
  if (body === null) return;
  const forwarded = forward && (await forward({ id: event_id, body }));
  if (form !== "table") {
    const event = { event: event_type, event_id, body: JSON.parse(body), forwarded: forwarded ?? null };
    terminal.out(`${JSON.stringify(event)}\n`);
    return;
  }
  const time = new Date(terminal.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const outcome = forwarded === undefined ? "" : `  ${outcomeOf(forwarded)}`;
  const line = `${time}  ${event_type}  ${subjectOf(body)}${outcome}`;
  const isFailed = forwarded !== undefined && (forwarded.status === null || forwarded.status >= 300);
  terminal.out(`${isFailed ? styled("red", line, terminal.hasColour) : line}\n`);
}

function outcomeOf({ status, error }: Forwarded): string {
  return status === null ? `not forwarded: ${error}` : `forwarded: ${status}`;
}

/** The run, machine or connection that the event is of. */
function subjectOf(body: string): string {
  const { run, machine, connection } = JSON.parse(body) as Readonly<
    Record<string, Readonly<Record<string, unknown>> | undefined>
  >;
  const words = run
    ? ["run", run.id, run.status]
    : ["machine", (machine ?? connection)?.machine_id, machine?.status];
  return printable(words.filter((word) => word !== undefined).join(" "));
}
