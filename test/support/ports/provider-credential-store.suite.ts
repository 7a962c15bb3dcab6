import { describe, expect, it } from "vitest";
import { noMetadata } from "../../../shared/domain/provider/provider-credential.ts";
import { aCredential, anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function providerCredentialStoreSuite(create: CreateTableStores): void {
  describe("a store of provider credentials", () => {
    it("finds what was put in, in its own organization and slot only", async () => {
      const store = create().providerCredentials;
      const credential = aCredential({
        slot: "aws_bedrock",
        metadata: { ...noMetadata, awsRegion: "eu-west-1" },
      });
      expect(await store.replace(credential, undefined)).toBe(true);
      expect(await store.find(credential.organizationId, "aws_bedrock")).toEqual(credential);
      expect(await store.find(credential.organizationId, "google")).toBeUndefined();
      expect(await store.find(anOrganization(), "aws_bedrock")).toBeUndefined();
      expect(await store.list(credential.organizationId)).toEqual([credential]);
      expect(await store.list(anOrganization())).toEqual([]);
    });

    it("replaces only what was read", async () => {
      const store = create().providerCredentials;
      const first = aCredential();
      await store.replace(first, undefined);
      expect(await store.replace({ ...first, status: "missing" }, undefined)).toBe(false);
      const second = { ...first, status: "missing" as const, secretName: null, revision: 2 };
      expect(await store.replace(second, first)).toBe(true);
      expect(await store.replace({ ...first, revision: 2 }, first)).toBe(false);
      expect(await store.find(first.organizationId, first.slot)).toEqual(second);
    });

    it("lets one of two simultaneous writers in", async () => {
      const store = create().providerCredentials;
      const first = aCredential();
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => store.replace(first, undefined)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });
  });
}
