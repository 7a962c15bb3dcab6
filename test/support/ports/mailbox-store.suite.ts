import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { MailboxPart, MailboxStore } from "../../../shared/domain/tunnel/mailbox.ts";
import { mailboxKey } from "../../../shared/storage/table/keys.ts";
import { anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

function aPart(fields: Partial<MailboxPart> = {}): MailboxPart {
  return {
    organizationId: anOrganization(),
    mailbox: randomUUID(),
    websocketId: "AbC12=",
    requestId: randomUUID(),
    part: 0,
    parts: 3,
    status: 200,
    headers: { "content-type": "image/png", "x-empty": "" },
    body: Uint8Array.from(randomBytes(20_000)),
    uploaded: false,
    ...fields,
  };
}

export function mailboxStoreSuite(create: CreateTableStores): void {
  describe("a mailbox store", () => {
    const polled = async (store: MailboxStore, mailbox: string, after?: string) =>
      (await store.poll(mailbox, after)).map(({ cursor: _cursor, ...part }) => part);

    it("gives out what was put, byte for byte, to its own mailbox only", async () => {
      const store = create().mailboxes;
      const part = aPart();
      await store.put(part);
      expect(await polled(store, part.mailbox)).toEqual([part]);
      expect(await polled(store, randomUUID())).toEqual([]);
    });

    it("keeps headers and body encrypted, each for its own item and attribute", async () => {
      const { table, mailboxes: store } = create();
      const [part, other] = [0, 1].map((place) => {
        const text = `canary ${place}`;
        return aPart({
          mailbox: randomUUID(),
          headers: { "x-typed": text },
          body: new TextEncoder().encode(text),
        });
      });
      if (!part || !other) throw new Error("there are two");
      for (const each of [part, other]) await store.put(each);
      const keys = [part, other].map((each) =>
        mailboxKey(each.mailbox, each.websocketId, each.requestId, each.part),
      );
      const [item, target] = await table.batchGet(keys);
      const texts = Object.values(item ?? {}).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
      );
      expect(texts.join()).not.toContain("canary");
      const swapped = { ...target, headers: target?.body };
      for (const moved of [{ ...target, body: item?.body }, swapped]) {
        await table.put({ ...moved, ...keys[1] } as Parameters<typeof table.put>[0]);
        await expect(store.poll(other.mailbox)).rejects.toMatchObject({ code: "driver_connection_lost" });
      }
      expect(await polled(store, part.mailbox)).toEqual([part]);
    });

    it("keeps a part without headers, body or bytes as it is", async () => {
      const store = create().mailboxes;
      const bare: MailboxPart = {
        organizationId: anOrganization(),
        mailbox: randomUUID(),
        websocketId: "AbC12=",
        requestId: randomUUID(),
        part: 1,
        parts: 2,
        status: 204,
        uploaded: true,
      };
      await store.put(bare);
      const empty = { ...bare, requestId: randomUUID(), body: new Uint8Array() };
      await store.put(empty);
      const parts = await polled(store, bare.mailbox);
      expect(parts).toHaveLength(2);
      expect(parts).toContainEqual(bare);
      expect(parts).toContainEqual(empty);
    });

    it("sorts by connection, request and part, whatever the order of arrival", async () => {
      const store = create().mailboxes;
      const first = aPart();
      const rest = [2, 1].map((part) => aPart({ mailbox: first.mailbox, requestId: first.requestId, part }));
      for (const part of [...rest, first]) await store.put(part);
      expect((await store.poll(first.mailbox)).map((part) => part.part)).toEqual([0, 1, 2]);
    });

    it("stores a part that is sent again once, as it came first", async () => {
      const store = create().mailboxes;
      const part = aPart();
      expect(await store.put(part)).toBe(true);
      expect(await store.put({ ...part, status: 500 })).toBe(false);
      expect(await polled(store, part.mailbox)).toEqual([part]);
    });

    it("answers only what lies past the cursor", async () => {
      const store = create().mailboxes;
      const parts = [0, 1, 2].map((part) => aPart({ mailbox: "m", requestId: "r", part }));
      const mailbox = randomUUID();
      for (const part of parts) await store.put({ ...part, mailbox });
      const [first, second] = await store.poll(mailbox);
      expect((await store.poll(mailbox, first?.cursor)).map((part) => part.part)).toEqual([1, 2]);
      expect((await store.poll(mailbox, second?.cursor)).map((part) => part.part)).toEqual([2]);
    });

    it("holds the answers of fifty desktops at once", async () => {
      const store = create().mailboxes;
      const mailbox = randomUUID();
      const body = Uint8Array.from(randomBytes(20_000));
      const parts = Array.from({ length: 60 }, (_, index) =>
        aPart({ mailbox, websocketId: `s${index}=`, body, part: 0, parts: 1 }),
      );
      await Promise.all(parts.map((part) => store.put(part)));
      expect(await store.poll(mailbox)).toHaveLength(60);
    });
  });
}
