import * as z from "zod";
import type { Clock } from "../../domain/clock.ts";
import type { MailboxPart, MailboxStore } from "../../domain/tunnel/mailbox.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { mailboxKey, mailboxPartition } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";

/** Nobody waits for an answer longer than 30 s; a part that comes later is still kept, and forgotten soon. */
const keptSeconds = 600;

const MailboxItem = z.object({
  kind: z.literal("mailbox_part"),
  sk: z.string(),
  mailbox: z.string(),
  websocket_id: z.string(),
  request_id: z.string(),
  part: z.number(),
  parts: z.number(),
  status: z.number(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.instanceof(Uint8Array).optional(),
  is_uploaded: z.boolean(),
});

export class DynamoMailboxStore implements MailboxStore {
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;

  constructor(table: DynamoTable, clock: Pick<Clock, "now">) {
    this.#table = table;
    this.#clock = clock;
  }

  async put(part: MailboxPart): Promise<void> {
    await this.#table.put({
      ...mailboxKey(part.mailbox, part.websocketId, part.requestId, part.part),
      kind: "mailbox_part",
      mailbox: part.mailbox,
      websocket_id: part.websocketId,
      request_id: part.requestId,
      part: part.part,
      parts: part.parts,
      status: part.status,
      headers: part.headers,
      body: part.body,
      is_uploaded: part.uploaded,
      ttl: Math.ceil(this.#clock.now() / 1_000) + keptSeconds,
    });
  }

  async poll(
    mailbox: string,
    after?: string,
  ): Promise<readonly (MailboxPart & { readonly cursor: string })[]> {
    const rows = { partition: mailboxPartition(mailbox), ...(after === undefined ? {} : { after }) };
    return (await queryItems(this.#table, rows)).map(parsePart);
  }
}

function parsePart(item: Item): MailboxPart & { readonly cursor: string } {
  const row = MailboxItem.parse(item);
  return {
    mailbox: row.mailbox,
    websocketId: row.websocket_id,
    requestId: row.request_id,
    part: row.part,
    parts: row.parts,
    status: row.status,
    ...(row.headers === undefined ? {} : { headers: row.headers }),
    ...(row.body === undefined ? {} : { body: row.body }),
    uploaded: row.is_uploaded,
    cursor: row.sk,
  };
}
