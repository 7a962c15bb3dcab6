import { type EncryptedPlace, Undecryptable } from "../../domain/encryption.ts";
import { DomainError } from "../../domain/errors.ts";
import type { MailboxPart, MailboxStore } from "../../domain/tunnel/mailbox.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isNew } from "../table/expression.ts";
import { type Key, keyOfItem } from "../table/item.ts";
import { mailboxKey, mailboxPartition } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { as, bytes, flag, maybe, number, row, tenant, text } from "../table/row.ts";

/** Nobody waits longer than 30 s for a response; a later part is stored too, and soon expires. */
const keptSeconds = 600;

/** A caller waits for each poll, and the next one is milliseconds away. */
const pollMs = 300;

/** Headers are encrypted as JSON, the body as it is. */
interface StoredPart extends Omit<MailboxPart, "headers" | "body"> {
  readonly headers?: Uint8Array;
  readonly body?: Uint8Array;
}

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
  readonly #polled = this.table.withAttemptsOf(pollMs);

  async put({ headers, body, ...part }: MailboxPart): Promise<boolean> {
    const key = mailboxKey(part.mailbox, part.websocketId, part.requestId, part.part);
    const encrypt = async (purpose: EncryptedPlace["purpose"], plain: Uint8Array) =>
      await this.table.encryption.encrypt(placeOf(part, key, purpose), plain);
    const item = {
      ...key,
      ...partRow.write({
        ...part,
        ...(headers && { headers: await encrypt("mailbox-headers", Buffer.from(JSON.stringify(headers))) }),
        ...(body && { body: await encrypt("mailbox-body", body) }),
      }),
      ttl: Math.ceil(this.deps.clock.now() / 1_000) + keptSeconds,
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
      items.map(async (item) => ({
        ...(await this.#decrypted(partRow.parse(item), keyOfItem(item))),
        cursor: String(item.sk),
      })),
    );
  }

  async #decrypted({ headers, body, ...part }: StoredPart, key: Key): Promise<MailboxPart> {
    const decrypt = async (purpose: EncryptedPlace["purpose"], encrypted: Uint8Array) =>
      await this.table.encryption.decrypt(placeOf(part, key, purpose), encrypted);
    try {
      return {
        ...part,
        ...(headers && { headers: parseHeaders(await decrypt("mailbox-headers", headers)) }),
        ...(body && { body: new Uint8Array(await decrypt("mailbox-body", body)) }),
      };
    } catch (cause) {
      if (!(cause instanceof Undecryptable)) throw cause;
      throw new DomainError(
        "driver_connection_lost",
        "the response of the machine's driver cannot be read; the action may have happened: retry with the same Idempotency-Key",
        { cause },
      );
    }
  }
}

function placeOf(
  { organizationId }: Pick<MailboxPart, "organizationId">,
  { pk, sk }: Key,
  purpose: EncryptedPlace["purpose"],
): EncryptedPlace {
  return { organizationId, purpose, pk, sk };
}

function parseHeaders(json: Uint8Array): NonNullable<MailboxPart["headers"]> {
  return JSON.parse(new TextDecoder().decode(json)) as NonNullable<MailboxPart["headers"]>;
}
