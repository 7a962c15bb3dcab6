import { describe, expect, it } from "vitest";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import { mintApiKey } from "../../../shared/secrets/api-key-text.ts";
import { CachedKeyVerifier } from "../../../shared/secrets/cached-key-verifier.ts";
import { anApiKey } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

async function setUp() {
  const { clock, apiKeys: store } = createModelStores();
  const reads: string[] = [];
  const apiKeys = {
    find: (keyId: string): Promise<ApiKey | undefined> => {
      reads.push(keyId);
      return store.find(keyId);
    },
  };
  const minted = mintApiKey();
  const key = anApiKey({ id: minted.id, secretDigest: minted.digest });
  await store.create(key);
  return { clock, store, reads, minted, key, verifier: new CachedKeyVerifier({ apiKeys, clock }) };
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
});
