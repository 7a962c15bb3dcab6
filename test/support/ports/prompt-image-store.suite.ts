import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { AlreadyOnRecord } from "../../../shared/domain/idempotency/idempotency.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { aPromptImage } from "../builders/workflows.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function promptImageStoreSuite(create: CreateTableStores): void {
  describe("a prompt image store", () => {
    const setUp = async () => {
      const organizationId = anOrganization();
      const { promptImages } = create();
      const images = [aPromptImage({ organizationId }), aPromptImage({ organizationId })] as const;
      for (const image of images) expect(await promptImages.create(image)).toBe("created");
      return { promptImages, organizationId, images };
    };

    it("finds images as they were created, of their organization alone", async () => {
      const { promptImages, organizationId, images } = await setUp();
      const ids = images.map(({ id }) => id);
      expect(await promptImages.find(organizationId, images[0].id)).toEqual(images[0]);
      const found = await promptImages.findMany(organizationId, [...ids, ...ids, v7()]);
      expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
      expect(await promptImages.find(anOrganization(), images[0].id)).toBeUndefined();
      expect(await promptImages.findMany(anOrganization(), ids)).toEqual([]);
    });

    it("lists them newest first, page by page, with the total", async () => {
      const { promptImages, organizationId, images } = await setUp();
      const [older, newer] = images;
      const list = (skip: number, limit: number) => promptImages.list(organizationId, { skip, limit });
      expect(await list(0, 100)).toEqual({ items: [newer, older], total: 2 });
      expect(await list(1, 1)).toEqual({ items: [older], total: 2 });
      expect(await list(2, 1)).toEqual({ items: [], total: 2 });
    });

    it("removes one once, and creates one once under one key", async () => {
      const { promptImages, organizationId, images } = await setUp();
      const [image, other] = images;
      expect(await promptImages.remove(image)).toBe(true);
      expect(await promptImages.remove(image)).toBe(false);
      expect(await promptImages.list(organizationId, { skip: 0, limit: 1 })).toEqual({
        items: [other],
        total: 1,
      });
      const idempotency = anIdempotency(organizationId);
      await promptImages.create(image, idempotency);
      const twin = aPromptImage({ organizationId });
      const again = anIdempotency(organizationId, { id: idempotency.id });
      await expect(promptImages.create(twin, again)).rejects.toThrow(AlreadyOnRecord);
      expect(await promptImages.find(organizationId, twin.id)).toBeUndefined();
    });
  });
}
