import * as z from "zod";
import type { MailboxPart, MailboxStore } from "../../domain/tunnel/mailbox.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isNew } from "../table/expression.ts";
import { mailboxKey, mailboxPartition } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { as, flag, kept, maybe, number, row, text } from "../table/row.ts";

/** Nobody waits for an answer longer than 30 s; a later part is stored too, and soon expires. */
const keptSeconds = 600;

const partRow = row<MailboxPart>("mailbox_part", {
  mailbox: text,
  websocketId: text,
  requestId: text,
  part: number,
  parts: number,
  status: number,
  headers: maybe(kept(() => z.record(z.string(), z.string()))),
  body: maybe(kept<Uint8Array>(() => z.instanceof(Uint8Array))),
  uploaded: as("is_uploaded", flag),
});

export class DynamoMailboxStore extends DynamoStore<StoreDeps> implements MailboxStore {
  async put(part: MailboxPart): Promise<boolean> {
    const item = {
      ...mailboxKey(part.mailbox, part.websocketId, part.requestId, part.part),
      ...partRow.write(part),
      ttl: Math.ceil(this.deps.clock.now() / 1_000) + keptSeconds,
    };
    return (await this.table.put(item, isNew)).kind === "written";
  }

  async poll(
    mailbox: string,
    after?: string,
  ): Promise<readonly (MailboxPart & { readonly cursor: string })[]> {
    const rows = { partition: mailboxPartition(mailbox), ...(after === undefined ? {} : { after }) };
    return (await queryItems(this.table, rows)).map((item) => ({
      ...partRow.parse(item),
      cursor: String(item.sk),
    }));
  }
}
