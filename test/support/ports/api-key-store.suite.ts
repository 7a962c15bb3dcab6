import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { type ApiKey, ownKeyIdOf } from "../../../shared/domain/access/api-key.ts";
import { AlreadyOnRecord } from "../../../shared/domain/idempotency/idempotency.ts";
import { anApiKey, anIdempotency, anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const revokedAt = "2026-01-15T12:00:00.000Z";
const later = "2026-01-15T13:00:00.000Z";

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
      const isDue = async () =>
        (await store.listRevocations(1_000, Date.parse(later))).some(({ keyId }) => keyId === key.id);
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

    it("finds and lists an organization's own key, and knows it as expired from then on", async () => {
      const store = create().apiKeys;
      const key = anOwnKey({ expiresAt: revokedAt });
      await store.createOwn(key, noRecord);
      expect(await store.find(key.id)).toEqual(key);
      expect(await store.list(key.organizationId)).toEqual([key]);
      expect(await store.count(key.organizationId)).toBe(1);
      const isDue = async (at: string) =>
        (await store.listRevocations(1_000, Date.parse(at))).some(({ keyId }) => keyId === key.id);
      expect([await isDue("2026-01-15T11:59:59.999Z"), await isDue(revokedAt)]).toEqual([false, true]);
      await store.settleRevocation(key.id);
      expect(await isDue(later)).toBe(false);
      await expect(store.createOwn(key, noRecord)).rejects.toThrow(/already/);
    });

    it("removes a key, whoever made it, and holds it due", async () => {
      const store = create().apiKeys;
      const [own, operators] = [anOwnKey({ expiresAt: later }), anApiKey()];
      await store.createOwn(own, noRecord);
      await store.create(operators);
      for (const key of [own, operators]) {
        expect(await store.remove({ ...key, organizationId: anOrganization() }, revokedAt)).toBe(false);
        expect(await store.find(key.id)).toEqual(key);
        expect(await store.remove(key, revokedAt)).toBe(true);
        expect(await store.find(key.id)).toBeUndefined();
        expect(await store.list(key.organizationId)).toEqual([]);
        expect(await store.remove(key, revokedAt)).toBe(false);
        const { id: keyId, organizationId } = key;
        expect(await store.listRevocations(1_000, 0)).toContainEqual({ keyId, organizationId, revokedAt });
      }
    });

    it("takes no row for a key that has a scope which no organization gives", async () => {
      const store = create().apiKeys;
      const key = anOwnKey({ scopes: ["read", "operator"] });
      await store.createOwn(key, noRecord);
      await expect(store.find(key.id)).rejects.toThrow();
    });

    it("puts a creation and a removal on record", async () => {
      const store = create().apiKeys;
      const key = anOwnKey();
      const idempotency = anIdempotency(key.organizationId);
      const result = { text: "das_shown_once" };
      await store.createOwn(key, { idempotency, result });
      const again = store.createOwn(anOwnKey(), { idempotency, result: {} });
      await expect(again).rejects.toMatchObject({ record: { kind: "done", result } });
      const removing = anIdempotency(key.organizationId);
      expect(await store.remove(key, revokedAt, removing)).toBe(true);
      await expect(store.remove(key, revokedAt, removing)).rejects.toThrow(AlreadyOnRecord);
    });
  });
}

const noRecord = { idempotency: undefined, result: null };

function anOwnKey(fields: Partial<ApiKey> = {}): ApiKey {
  return anApiKey({ ...fields, id: ownKeyIdOf(v7()) });
}
