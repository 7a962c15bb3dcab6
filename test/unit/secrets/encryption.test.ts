import { describe, expect, it } from "vitest";
import { type EncryptedPlace, Undecryptable } from "../../../shared/domain/encryption.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { createEncryption } from "../../../shared/secrets/encryption/create-encryption.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { FakeDataKey } from "../../support/fakes/fake-data-key.ts";

const place: EncryptedPlace = {
  organizationId: organizationIdOf("org_1"),
  purpose: "idempotency-result",
  pk: "ORG#org_1#IDEMPOTENCY#1",
  sk: "#",
};
const plain = Buffer.from("typed text, 文字");

function setUp() {
  const secret = new FakeDataKey();
  const clock = new FakeClock();
  const create = () => createEncryption({ client: secret.client, secretId: "key", clock });
  return { secret, clock, create, encryption: create() };
}

describe("encryption under the data key", () => {
  it("gives back what was encrypted, byte for byte, and never the same bytes twice", async () => {
    const { encryption } = setUp();
    const [one, other] = [await encryption.encrypt(place, plain), await encryption.encrypt(place, plain)];
    expect(Buffer.from(one)).not.toEqual(Buffer.from(other));
    for (const stored of [one, other]) {
      expect(Buffer.from(stored).includes(plain)).toBe(false);
      expect(await encryption.decrypt(place, stored)).toEqual(plain);
    }
    const nothing = await encryption.encrypt(place, Buffer.alloc(0));
    expect(await encryption.decrypt(place, nothing)).toEqual(Buffer.alloc(0));
  });

  it.each<[string, Partial<Record<keyof EncryptedPlace, string>>]>([
    ["another organization's, under the same key of the item", { organizationId: "org_2" }],
    ["another item's", { pk: "ORG#org_1#IDEMPOTENCY#2" }],
    ["another item's of the same partition", { sk: "PART#0001" }],
    ["another purpose's", { purpose: "another" }],
  ])("cannot read %s", async (_what, other) => {
    const { encryption } = setUp();
    const stored = await encryption.encrypt(place, plain);
    const elsewhere = { ...place, ...other } as EncryptedPlace;
    await expect(encryption.decrypt(elsewhere, stored)).rejects.toThrow(Undecryptable);
  });

  it("cannot read it with any one bit changed, shortened or lengthened", async () => {
    const { encryption } = setUp();
    const stored = Buffer.from(await encryption.encrypt(place, plain));
    const changed = Array.from({ length: stored.length * 8 }, (_, bit) => {
      const copy = Buffer.from(stored);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy;
    });
    const cut = [0, 1, 6, 18, 33, stored.length - 1].map((end) => stored.subarray(0, end));
    for (const text of [...changed, ...cut, Buffer.concat([stored, Buffer.of(0)])]) {
      await expect(encryption.decrypt(place, text)).rejects.toThrow(Undecryptable);
    }
  });

  it("reads the key once, for however many texts at once", async () => {
    const { secret, encryption, create } = setUp();
    const stored = await Promise.all(Array.from({ length: 20 }, () => encryption.encrypt(place, plain)));
    expect(secret.reads).toBe(1);
    const fresh = create();
    await Promise.all(stored.map((text) => fresh.decrypt(place, text)));
    expect(secret.reads).toBe(2);
  });

  it("encrypts with a new version after five minutes, and reads what every version has encrypted", async () => {
    const { secret, clock, encryption, create } = setUp();
    const texts = [await encryption.encrypt(place, plain)];
    for (let rotation = 0; rotation < 30; rotation += 1) {
      secret.rotate();
      clock.advance(300_000);
      texts.push(await encryption.encrypt(place, plain));
    }
    const versions = texts.map((text) => Buffer.from(text).toString("hex", 0, 6));
    expect(new Set(versions).size).toBe(31);
    secret.reads = 0;
    const fresh = create();
    for (const text of texts) expect(await fresh.decrypt(place, text)).toEqual(plain);
    expect(secret.reads).toBe(1);
  });

  it("reads a version that it has never seen as soon as a text names it", async () => {
    const { secret, encryption, create } = setUp();
    await encryption.encrypt(place, plain);
    secret.rotate();
    const stored = await create().encrypt(place, plain);
    expect(await encryption.decrypt(place, stored)).toEqual(plain);
  });

  it("cannot read what a removed version encrypted, and looks for that once in ten seconds", async () => {
    const { secret, clock, encryption, create } = setUp();
    const stored = await encryption.encrypt(place, plain);
    secret.rotate();
    secret.value = { ...secret.value, earlier: [] };
    secret.reads = 0;
    const fresh = create();
    for (let time = 0; time < 5; time += 1) {
      await expect(fresh.decrypt(place, stored)).rejects.toThrow("the version of the data key");
    }
    expect(secret.reads).toBe(2);
    clock.advance(10_000);
    await expect(fresh.decrypt(place, stored)).rejects.toThrow(Undecryptable);
    expect(secret.reads).toBe(3);
  });

  it("is away with Secrets Manager until the key was read once, and tries again", async () => {
    const { secret, clock, encryption, create } = setUp();
    secret.isAway = true;
    const away = { code: "service_unavailable", retryAfterSeconds: 1 };
    await expect(encryption.encrypt(place, plain)).rejects.toMatchObject(away);
    await expect(encryption.decrypt(place, Buffer.alloc(60))).rejects.toMatchObject(away);
    secret.isAway = false;
    await encryption.encrypt(place, plain);
    secret.isAway = true;
    clock.advance(300_000);
    expect(await encryption.decrypt(place, await encryption.encrypt(place, plain))).toEqual(plain);
    secret.isAway = false;
    secret.rotate();
    const unseen = await create().encrypt(place, plain);
    secret.isAway = true;
    await expect(encryption.decrypt(place, unseen)).rejects.toMatchObject(away);
  });
});
