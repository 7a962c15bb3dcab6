import { randomUUID } from "node:crypto";
import { webhookEventTypes } from "../../../../shared/vocabulary/events.ts";
import type { Command } from "../../program/command.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes, UsageError } from "../../program/failures.ts";
import { stopSignal } from "../../program/stop-signal.ts";
import { forwarderOf } from "./forward.ts";
import { readDeliveries } from "./read-deliveries.ts";

/** RFC 6761: no resolver ever knows a name under it, so that nothing leaves the service. */
const unreachableSuffix = "das-listen.invalid";
const description = "das webhooks listen";

export const listenCommand: Command = {
  noun: "webhooks",
  verb: "listen",
  summary: "Shows events as they happen, and forwards them to an address of yours",
  description:
    "A terminal cannot be reached from outside: the command makes an endpoint whose address leads nowhere, reads its deliveries, and deletes it at the end. --forward sends each one on, signed as the service signs it. Events of runs come for workflows with is_webhooks_enabled",
  options: [
    {
      flags: "--forward <url>",
      text: "The address that each event is posted to, such as http://localhost:3000/hook.",
    },
    {
      flags: "--events <types>",
      text: `Only these, separated by commas: ${webhookEventTypes.join(", ")}.`,
      isRepeatable: true,
    },
  ],
  examples: [
    "das webhooks listen --forward http://localhost:3000/hook",
    "das webhooks listen --events run.complete --jsonl",
  ],
  operations: [
    "createWebhookEndpoint",
    "listWebhookDeliveries",
    "getWebhookDelivery",
    "deleteWebhookEndpoint",
  ],
  run: async (context, { options }) => {
    const event_types = typesOf(options.events);
    const address = options.forward === undefined ? undefined : addressOf(String(options.forward));
    const { client } = await context.connect();
    await tellLeftBehind(context, client);
    const { signal, release } = stopSignal(context);
    // Not with the signal: an endpoint whose making was interrupted could not be deleted.
    const { id, secret } = await client.call("createWebhookEndpoint", {
      body: { url: `https://${randomUUID()}.${unreachableSuffix}/`, description, event_types },
    });
    try {
      if (context.form === "table") {
        context.terminal.err(
          `listening${address === undefined ? "" : `, and forwarding to ${address.href}`}; ctrl-C ends it\n${
            address === undefined ? "" : `the secret that events are signed with: ${secret}\n`
          }`,
        );
      }
      const forward = address && (await forwarderOf({ ...context, signal }, address, secret));
      await readDeliveries({ ...context, client, forward, signal }, id);
    } finally {
      await client.call("deleteWebhookEndpoint", { path: { endpoint_id: id } });
      release();
    }
    return exitCodes.done;
  },
};

function typesOf(given: unknown): (typeof webhookEventTypes)[number][] {
  const types = [given ?? []].flat().flatMap((each) => String(each).split(","));
  return types.map((type) => {
    const known = webhookEventTypes.find((each) => each === type.trim());
    if (known === undefined) throw new UsageError(`${type} is no event: ${webhookEventTypes.join(", ")}`);
    return known;
  });
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new UsageError(`--forward takes an address such as http://localhost:3000/hook, not ${text}`);
}

/** A listener that was killed could not delete its endpoint, of which an organization has ten at most. */
async function tellLeftBehind(
  { terminal, signal }: Context,
  client: Awaited<ReturnType<Context["connect"]>>["client"],
): Promise<void> {
  const { items } = await client.call("listWebhookEndpoints", { signal });
  for (const { id, url, created_at } of items) {
    if (!url.endsWith(`.${unreachableSuffix}/`)) continue;
    terminal.err(
      `another listener has an endpoint since ${created_at}; if it is gone: das webhooks delete ${id}\n`,
    );
  }
}
