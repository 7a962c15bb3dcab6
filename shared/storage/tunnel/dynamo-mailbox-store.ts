import type { MailboxPart, MailboxStore } from "../../domain/tunnel/mailbox.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isNew } from "../table/expression.ts";
import { type Key, keyOfItem } from "../table/item.ts";
import { mailboxKey, mailboxPartition } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { as, bytes, flag, maybe, number, row, tenant, text } from "../table/row.ts";
import { answerAttemptMs, answerKeptSeconds } from "./answer-limits.ts";
import { type Sealed, seal, unseal } from "./sealed-answer.ts";

type StoredPart = Omit<MailboxPart, "headers" | "body"> & Sealed;

const partRow = row<StoredPart>("mailbox_part", {
  organizationId: tenant,
  mailbox: text,
  websocketId: text,
  requestId: text,
  part: number,
  parts: number,
  status: number,
  headers: maybe(bytes),
  body: maybe(bytes),
  uploaded: as("is_uploaded", flag),
});

export class DynamoMailboxStore extends DynamoStore<StoreDeps> implements MailboxStore {
  readonly #polled = this.table.withAttemptsOf(answerAttemptMs);

  async put({ headers, body, ...part }: MailboxPart): Promise<boolean> {
    const key = mailboxKey(part.mailbox, part.websocketId, part.requestId, part.part);
    const sealed = await seal(this.table.encryption, placeOf(part, key), { headers, body });
    const item = {
      ...key,
      ...partRow.write({ ...part, ...sealed }),
      ttl: Math.ceil(this.deps.clock.now() / 1_000) + answerKeptSeconds,
    };
    return (await this.table.put(item, isNew)).kind === "written";
  }

  async poll(
    mailbox: string,
    after?: string,
  ): Promise<readonly (MailboxPart & { readonly cursor: string })[]> {
    const rows = { partition: mailboxPartition(mailbox), ...(after === undefined ? {} : { after }) };
    const items = await queryItems(this.#polled, rows);
    return await Promise.all(
      items.map(async (item) => {
        const { headers, body, ...part } = partRow.parse(item);
        const place = placeOf(part, keyOfItem(item));
        return {
          ...part,
          ...(await unseal(this.table.encryption, place, { headers, body })),
          cursor: String(item.sk),
        };
      }),
    );
  }
}

function placeOf({ organizationId }: Pick<MailboxPart, "organizationId">, { pk, sk }: Key) {
  return { organizationId, pk, sk };
}
