import { randomUUID } from "node:crypto";
import * as z from "zod";
import { AwsError, notImplemented } from "../aws-error.ts";
import { BoundedList } from "../bounded-list.ts";
import { jsonAnswer, parseJsonBody, presentJsonError } from "../json-protocol.ts";
import { localArn } from "../local-account.ts";
import type { Answer, AwsService, ServiceCall } from "../service-call.ts";

const eventsMax = 10_000;

/** Source: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const PutEventsRequest = z.object({
  Entries: z
    .array(
      z.object({
        EventBusName: z.string().default("default"),
        Source: z.string().optional(),
        DetailType: z.string().optional(),
        Detail: z.string().optional(),
        Resources: z.array(z.string()).default([]),
        Time: z.number().optional(),
      }),
    )
    .min(1)
    .max(10),
});
type Entry = z.infer<typeof PutEventsRequest>["Entries"][number];

const requestBytesMax = 262_144;

export interface PutEvent {
  readonly eventId: string;
  readonly eventBusName: string;
  readonly source: string;
  readonly detailType: string;
  readonly detail: unknown;
  readonly resources: readonly string[];
  readonly time: string;
  readonly functionName: string;
}

/**
 * Events are only kept to be read. An event for a missing bus is refused, where AWS accepts and loses it.
 *
 * Source: https://github.com/aws/aws-sdk/issues/186
 */
export class EventBridgeService implements AwsService {
  readonly name = "events";
  readonly events = new BoundedList<PutEvent>(eventsMax);
  readonly #buses = new Set(["default"]);

  createBus(name: string): void {
    this.#buses.add(name);
  }

  handle(call: ServiceCall): Answer {
    if (call.operation !== "PutEvents") throw notImplemented(`EventBridge's ${call.operation}`);
    const parsed = PutEventsRequest.safeParse(parseJsonBody(call.body));
    if (!parsed.success || call.body.length > requestBytesMax * 2) {
      throw new AwsError(400, "ValidationException", "1 validation error detected: Entries is not valid.");
    }
    const { Entries: entries } = parsed.data;
    call.authorize(entries.map((entry) => this.#permission(entry)));
    const size = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
    if (size > requestBytesMax) {
      throw new AwsError(
        400,
        "ValidationException",
        "Total size of the entries in the request is over the limit.",
      );
    }
    const results = entries.map((entry) => this.#put(entry, call.principal.functionName));
    const failed = results.filter((result) => "ErrorCode" in result).length;
    return jsonAnswer({ FailedEntryCount: failed, Entries: results }, "1.1");
  }

  present(error: AwsError): Answer {
    return presentJsonError(error, "", "1.1");
  }

  #permission(entry: Entry) {
    const name = entry.EventBusName;
    return {
      action: "events:PutEvents",
      resource: name.startsWith("arn:") ? name : localArn("events", `event-bus/${name}`),
      context: { "events:source": entry.Source, "events:detail-type": entry.DetailType },
    };
  }

  #put(entry: Entry, functionName: string) {
    const { Source: source, DetailType: detailType, Detail: detail } = entry;
    if (!source || !detailType || detail === undefined) {
      return { ErrorCode: "InvalidArgument", ErrorMessage: "Source, DetailType and Detail are required." };
    }
    const busName = entry.EventBusName.slice(entry.EventBusName.lastIndexOf("/") + 1);
    if (!this.#buses.has(busName)) {
      return { ErrorCode: "ResourceNotFoundException", ErrorMessage: `there is no event bus ${busName}` };
    }
    const parsed = parseDetail(detail);
    if (!parsed) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
    const eventId = randomUUID();
    this.events.add({
      eventId,
      eventBusName: busName,
      source,
      detailType,
      detail: parsed,
      resources: entry.Resources,
      time: new Date(entry.Time === undefined ? Date.now() : entry.Time * 1000).toISOString(),
      functionName,
    });
    return { EventId: eventId };
  }
}

/** AWS documents the size under "Calculating event entry size"; a time counts 14 bytes. */
function entryBytes(entry: Entry): number {
  const texts = [entry.Source, entry.DetailType, entry.Detail, ...entry.Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), entry.Time === undefined ? 0 : 14);
}

function parseDetail(detail: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(detail);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
