import { describe, expect, it } from "vitest";
import { anApiKey } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const revokedAt = "2026-01-15T12:00:00.000Z";
const later = "2026-01-15T13:00:00.000Z";

/** What every ApiKeyStore does. */
export function apiKeyStoreSuite(create: CreateTableStores): void {
  describe("an API key store", () => {
    it("finds a key as it was created, and no other", async () => {
      const store = create().apiKeys;
      const key = anApiKey({ scopes: ["driver"] });
      await store.create(key);
      expect(await store.find(key.id)).toEqual(key);
      expect(await store.find(`${key.id}0`)).toBeUndefined();
      expect(await store.find("")).toBeUndefined();
    });

    it("never puts another key in the place of one", async () => {
      const store = create().apiKeys;
      const key = anApiKey();
      await store.create(key);
      await expect(store.create({ ...key, secretDigest: "1".repeat(64) })).rejects.toThrow(/already/);
      expect(await store.find(key.id)).toEqual(key);
    });

    it("lists the keys of one organization, newest first, revoked ones too", async () => {
      const store = create().apiKeys;
      const older = anApiKey();
      const newer = anApiKey({ organizationId: older.organizationId });
      for (const key of [older, newer, anApiKey()]) await store.create(key);
      await store.revoke(older.id, revokedAt);
      const listed = await store.list(older.organizationId);
      expect(listed).toEqual([newer, { ...older, revokedAt }]);
    });

    it("revokes a key once, keeps the first time, and knows no unknown one", async () => {
      const store = create().apiKeys;
      const key = anApiKey();
      await store.create(key);
      expect(await store.revoke(key.id, revokedAt)).toEqual({ ...key, revokedAt });
      expect(await store.revoke(key.id, later)).toEqual({ ...key, revokedAt });
      expect(await store.find(key.id)).toEqual({ ...key, revokedAt });
      expect(await store.revoke("unknown", revokedAt)).toBeUndefined();
      expect(await store.find("unknown")).toBeUndefined();
    });

    it("holds a revoked key due until it is settled, for good", async () => {
      const store = create().apiKeys;
      const key = anApiKey();
      await store.create(key);
      const isDue = async () => (await store.listRevocations(1_000)).some(({ keyId }) => keyId === key.id);
      expect(await isDue()).toBe(false);
      await store.revoke(key.id, revokedAt);
      expect(await isDue()).toBe(true);
      await store.settleRevocation(key.id);
      await store.settleRevocation("unknown");
      expect(await isDue()).toBe(false);
      await store.revoke(key.id, later);
      expect(await isDue()).toBe(false);
      expect(await store.find("unknown")).toBeUndefined();
    });
  });
}
