import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { FileStore } from "../../../shared/domain/file-store.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { anOrganization } from "../builders/entities.ts";

/** The behaviour of every FileStore, except presigned requests, which only a real store can serve. */
export function fileStoreSuite(create: () => Promise<FileStore> | FileStore): void {
  describe("a file store", () => {
    const setUp = async () => {
      const files = await create();
      return { files, key: files.tunnelKey(anOrganization(), randomUUID()) };
    };

    it("gives back what was put, byte for byte, and its size", async () => {
      const { files, key } = await setUp();
      const body = Uint8Array.from(randomBytes(70_000));
      await files.put(key, body, "application/octet-stream");
      expect(await files.size(key)).toBe(70_000);
      expect([await files.has(key), await files.has(key.slice(0, -1)), await files.has(`${key}0`)]).toEqual([
        true,
        false,
        false,
      ]);
      expect(Buffer.from((await files.get(key, 70_000)) ?? []).equals(body)).toBe(true);
    });

    it("keeps an empty file", async () => {
      const { files, key } = await setUp();
      await files.put(key, new Uint8Array(), "text/plain");
      expect(await files.size(key)).toBe(0);
      expect((await files.get(key, 0))?.byteLength).toBe(0);
    });

    it("knows nothing under another key", async () => {
      const { files, key } = await setUp();
      expect(await files.get(key, 10)).toBeUndefined();
      expect(await files.size(key)).toBeUndefined();
    });

    it("carries no more than was asked for", async () => {
      const { files, key } = await setUp();
      await files.put(key, new Uint8Array(11), "text/plain");
      await expect(files.get(key, 10)).rejects.toMatchObject({ code: "answer_too_large" });
      expect((await files.get(key, 11))?.byteLength).toBe(11);
    });

    it("removes a file, and one that is gone already", async () => {
      const { files, key } = await setUp();
      await files.put(key, new Uint8Array(1), "text/plain");
      await files.remove(key);
      await files.remove(key);
      expect(await files.size(key)).toBeUndefined();
    });

    it("lists what entities keep, by key and age, from a key on, and nothing that is passing through", async () => {
      const files = await create();
      const organization = anOrganization();
      const keys = ["a", "b", "c"].map((id) => files.attachmentKey(organization, "run", id));
      const other = files.spillKey(organization, "run", "1", "output_data", "2");
      for (const key of [...keys, other, files.tunnelKey(organization, "1")]) {
        await files.put(key, new Uint8Array(1), "text/plain");
      }
      const listed = async (...given: Parameters<FileStore["list"]>) =>
        (await files.list(...given)).objects.filter(({ key }) => key.includes(organization));
      const all = await listed("attachments/", "attachments/");
      expect(all.map(({ key }) => key)).toEqual(keys);
      expect(all.every(({ modifiedAtMs }) => modifiedAtMs > 0)).toBe(true);
      expect((await listed("attachments/", keys[0] ?? "")).map(({ key }) => key)).toEqual(keys.slice(1));
      expect((await listed("spill/", "spill/")).map(({ key }) => key)).toEqual([other]);
      expect(await files.list("spill/", "spill0")).toEqual({ objects: [] });
    });

    it("lists page by page", async () => {
      const files = await create();
      const organization = anOrganization();
      const first = files.attachmentKey(organization, "run", "0");
      await Promise.all(
        Array.from({ length: 1_002 }, (_, index) =>
          files.put(
            files.attachmentKey(organization, "run", String(index).padStart(4, "0")),
            new Uint8Array(),
            "text/plain",
          ),
        ),
      );
      const page = await files.list("attachments/", first);
      expect(page.objects).toHaveLength(1_000);
      expect(page.nextAfter).toBe(page.objects.at(-1)?.key);
      const rest = await files.list("attachments/", page.nextAfter ?? "");
      expect(rest.objects.filter(({ key }) => key.includes(organization))).toHaveLength(2);
      expect(rest.nextAfter).toBeUndefined();
    });

    it("makes keys from which no organization reaches another's", async () => {
      const { files } = await setUp();
      expect(files.uploadKey(organizationIdOf("org_1"), "abc")).toBe("uploads/org_1/abc");
      expect(files.tunnelKey(organizationIdOf("../a/b"), "abc")).toBe("tunnel/.2E.2E.2Fa.2Fb/abc");
      for (const id of ["", "..", "a/b", "../org_2/abc", "a b", "a".repeat(129)]) {
        expect(() => files.uploadKey(organizationIdOf("org_1"), id)).toThrow(/no such upload/);
      }
    });
  });
}
