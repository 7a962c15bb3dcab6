import { presentEvent } from "../../../functions/projector/present-event.ts";
import { EventBridgePublisher } from "../../../shared/events/event-bridge-publisher.ts";
import { imagesOf } from "../../../shared/storage/stream/stream-changes.ts";
import { readEvents } from "../../../shared/storage/stream/stream-events.ts";
import type { Item } from "../../../shared/storage/table/item.ts";
import type { ModelRecord } from "../../support/dynamo-model/dynamo-model.ts";
import { storesOnModel } from "../../support/stores/model-stores.ts";
import type { Line } from "../fixture-files.ts";
import { startMs, steps } from "./life.ts";
import { readRow } from "./reads.ts";

export interface EventLine extends Line {
  readonly event: {
    readonly source: string;
    readonly "detail-type": string;
    readonly time: string;
    readonly detail: Readonly<Record<string, unknown>>;
  };
}

/** A line of `rows.jsonl`; bytes are `{base64}`. */
export interface RowLine extends Line {
  readonly row: Item;
  readonly read?: unknown;
}

const clock = { now: () => startMs, sleep: async () => {} };

export async function recordTable(): Promise<{
  readonly events: readonly EventLine[];
  readonly rows: readonly RowLine[];
}> {
  const { model, stores } = storesOnModel(clock);
  const images = new Map<string, Item>();
  const events: EventLine[] = [];
  for (const [name, step] of Object.entries(steps)) {
    await step(stores);
    for (const record of model.takeRecords()) {
      const { after } = imagesOf(record);
      if (after !== undefined) {
        const row = masked(after);
        images.set(`${String(row.pk)} ${String(row.sk)}`, row);
      }
      events.push(...(await eventsOf(name, record)));
    }
  }
  const rows = [...Map.groupBy(images.values(), (row) => String(row.kind))].flatMap(([kind, all]) => {
    const bySize = all.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length);
    const [fullest, barest] = [bySize[0], bySize.at(-1)];
    if (fullest === undefined) return [];
    const isAlike = barest === undefined || namesOf(fullest) === namesOf(barest);
    return [
      { name: kind, row: fullest },
      ...(isAlike ? [] : [{ name: `${kind}, the least of it`, row: barest }]),
    ];
  });
  return { events, rows: await readRows(rows) };
}

export async function readRows(rows: readonly RowLine[]): Promise<readonly RowLine[]> {
  const { table, stores } = storesOnModel(clock);
  for (const { row } of rows) await table.put(plain(row) as Parameters<typeof table.put>[0]);
  const lines: RowLine[] = [];
  for (const { name, row } of rows) {
    lines.push({ name, row, read: wired(await readRow(stores, plain(row) as Item)) });
  }
  return JSON.parse(JSON.stringify(lines)) as readonly RowLine[];
}

async function eventsOf(step: string, record: ModelRecord): Promise<readonly EventLine[]> {
  const seconds = startMs / 1_000 + 5;
  const told = readEvents({
    ...record,
    eventID: `${step.replaceAll(" ", "-")}-${String(imagesOf(record).after?.kind)}`,
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: seconds },
  });
  const lines: EventLine[] = [];
  const client = {
    send: async ({ input }: { readonly input: { readonly Entries: readonly Entry[] } }) => {
      for (const { Source, DetailType, Detail, Time } of input.Entries) {
        const event = { source: Source, "detail-type": DetailType, time: Time, detail: JSON.parse(Detail) };
        lines.push({ name: `${step}: ${DetailType}`, event: JSON.parse(JSON.stringify(event)) });
      }
      return { Entries: input.Entries.map(() => ({ EventId: "fixture" })) };
    },
  };
  // Of the client only `send` is called, and with that one command.
  const options = { client, busName: "fixture" } as unknown as ConstructorParameters<
    typeof EventBridgePublisher
  >[0];
  const refused = await new EventBridgePublisher(options).publish(told.map(presentEvent));
  if (refused.length > 0) throw new Error("an event was refused");
  return lines;
}

interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly Time: Date;
}

function namesOf(row: Item): string {
  return Object.keys(row).sort().join(" ");
}

const random = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The adapters' own random ids are of version 4, as none of the fixture's is. */
function masked(row: Item): Item {
  return wired(row, (text) => (random.test(text) ? "random" : text)) as Item;
}

/** For JSON: bytes as base64. */
function wired(value: unknown, change: (text: string) => string = (text) => text): unknown {
  if (typeof value === "string") return change(value);
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map((inner) => wired(inner, change));
  if (value instanceof Map) return wired([...value], change);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wired(inner, change)]));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { base64, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof base64 === "string" && Object.keys(rest).length === 0) return Buffer.from(base64, "base64");
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
