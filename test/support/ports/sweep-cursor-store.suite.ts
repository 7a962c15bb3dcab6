import { describe, expect, it } from "vitest";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function sweepCursorStoreSuite(create: CreateTableStores): void {
  describe("a sweep's cursor", () => {
    it("is where it was put, and moves only from where it was read", async () => {
      const store = create().sweepCursors;
      expect(await store.find("objects")).toBeUndefined();
      const at = { position: "spill/a", notBeforeMs: 7, heldBack: 0 };
      const first = { listing: "objects", ...at, revision: 1 } as const;
      expect(await store.replace(first, undefined)).toBe(true);
      expect(await store.replace(first, undefined)).toBe(false);
      expect(await store.find("objects")).toEqual(first);
      const second = { ...first, position: null, notBeforeMs: 8, heldBack: 101, revision: 2 };
      expect(await Promise.all([1, 2].map(() => store.replace(second, first)))).toEqual(
        expect.arrayContaining([true, false]),
      );
      expect(await store.find("objects")).toEqual(second);
    });
  });
}
