import { describe, expect, it } from "vitest";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import { mintApiKey, mintOwnApiKey } from "../../../shared/secrets/api-key-text.ts";
import { CachedKeyVerifier } from "../../../shared/secrets/cached-key-verifier.ts";
import { anApiKey } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

async function setUp() {
  const { clock, apiKeys: store } = createModelStores();
  const reads: string[] = [];
  const uses: string[] = [];
  const isAway = { table: false };
  const apiKeys = {
    find: (keyId: string): Promise<ApiKey | undefined> => {
      reads.push(keyId);
      return store.find(keyId);
    },
    noteUse: (keyId: string, hour: string): Promise<void> => {
      uses.push(hour);
      return isAway.table ? Promise.reject(new Error("away")) : store.noteUse(keyId, hour);
    },
  };
  const minted = mintApiKey();
  const key = anApiKey({ id: minted.id, secretDigest: minted.digest });
  await store.create(key);
  return {
    clock,
    store,
    reads,
    uses,
    isAway,
    minted,
    key,
    verifier: new CachedKeyVerifier({ apiKeys, clock }),
  };
}

describe("the key verifier", () => {
  it("tells a good key, and reads it once in 30 s", async () => {
    const { verifier, minted, key, reads, clock } = await setUp();
    expect(await verifier.verify(minted.text)).toEqual(key);
    clock.advance(29_999);
    expect(await verifier.verify(minted.text)).toEqual(key);
    expect(reads).toHaveLength(1);
    clock.advance(1);
    expect(await verifier.verify(minted.text)).toEqual(key);
    expect(reads).toHaveLength(2);
  });

  it("notes the hour of a use, once, and not for a wrong secret", async () => {
    const { verifier, minted, key, uses, isAway, clock, store } = await setUp();
    const wrong = minted.text.replace(/_[^_]*$/, "_wrong");
    await verifier.verify(wrong);
    expect([...(await store.lastUses([key.id]))]).toEqual([]);
    for (let count = 0; count < 3; count++) await verifier.verify(minted.text);
    const hour = `${new Date(clock.now()).toISOString().slice(0, 13)}:00:00.000Z`;
    expect(uses).toEqual([hour]);
    clock.advance(3_600_000);
    isAway.table = true;
    expect(await verifier.verify(minted.text)).toEqual(key);
    expect([...(await store.lastUses([key.id, "unknown"]))]).toEqual([[key.id, hour]]);
    expect(uses).toHaveLength(2);
  });

  it("reads nothing for a mistyped key", async () => {
    const { verifier, minted, reads } = await setUp();
    const typed = minted.text.slice(0, -1) + (minted.text.endsWith("a") ? "b" : "a");
    expect(await verifier.verify(typed)).toBeUndefined();
    expect(await verifier.verify("")).toBeUndefined();
    expect(reads).toEqual([]);
  });

  it("refuses another secret under a known id, even while the key is kept", async () => {
    const { verifier, minted, store } = await setUp();
    const other = mintApiKey();
    await store.create(anApiKey({ id: other.id, secretDigest: minted.digest }));
    expect(await verifier.verify(other.text)).toBeUndefined();
    expect(await verifier.verify(other.text)).toBeUndefined();
  });

  it("refuses a revoked key within 30 s, and an unknown one until it is made", async () => {
    const { verifier, minted, key, store, clock } = await setUp();
    await verifier.verify(minted.text);
    await store.revoke(key.id, new Date(clock.now()).toISOString());
    clock.advance(30_000);
    expect(await verifier.verify(minted.text)).toBeUndefined();
    const late = mintApiKey();
    expect(await verifier.verify(late.text)).toBeUndefined();
    await store.create(anApiKey({ id: late.id, secretDigest: late.digest }));
    expect(await verifier.verify(late.text)).toMatchObject({ id: late.id });
  });

  it("refuses an expired key at once, even while it is kept", async () => {
    const { verifier, store, clock } = await setUp();
    const { id, text, digest: secretDigest } = mintOwnApiKey();
    const expiresAt = new Date(clock.now() + 10_000).toISOString();
    const record = { idempotency: undefined, result: null };
    await store.createOwn(anApiKey({ id, secretDigest, expiresAt }), record);
    clock.advance(9_999);
    expect(await verifier.verify(text)).toMatchObject({ id });
    clock.advance(1);
    expect(await verifier.verify(text)).toBeUndefined();
    expect(await verifier.verify(text)).toBeUndefined();
  });
});
