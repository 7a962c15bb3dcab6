import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { SecretStore } from "../../../shared/domain/secret-store.ts";
import { anOrganization } from "../builders/entities.ts";

export interface SecretStoreUnderTest {
  readonly store: SecretStore;
  readonly tableId: string;
  createElsewhere(name: string): Promise<void>;
  /** The value stored under a name; undefined when there is none. */
  stored(name: string): Promise<string | undefined>;
  advance(ms: number): void;
  nowMs(): number;
}

export function secretStoreSuite(create: () => SecretStoreUnderTest): void {
  describe("a secret store", () => {
    const setUp = () => {
      const world = create();
      const name = world.store.secretName(
        anOrganization(),
        { kind: "machine", id: randomUUID() },
        randomUUID(),
      );
      return { ...world, name };
    };

    it("names a secret by deployment, organization, owner and id", () => {
      const { store } = setUp();
      const [machine, id] = [randomUUID(), randomUUID()];
      const name = store.secretName(organizationIdOf("org/../a b#ä"), { kind: "machine", id: machine }, id);
      expect(name).toMatch(/^das\/[a-z0-9-]+\/org\.2F\.2E\.2E\.2Fa\.20b\.23\.C3\.A4\/machine\//);
      expect(name.endsWith(`/machine/${machine}/${id}`)).toBe(true);
      expect(() => store.secretName(organizationIdOf("org"), { kind: "machine", id: "../.." }, id)).toThrow(
        /UUID/,
      );
    });

    it("stores aliases and values as they are", async () => {
      const { store, stored, name } = setUp();
      const values = { password: 'pä$$"w', "": "", __proto: "x" };
      await store.create(name, values);
      expect(JSON.parse((await stored(name)) ?? "")).toEqual(values);
    });

    it("takes the same again, and never other values under the same name", async () => {
      const { store, stored, name } = setUp();
      await store.create(name, { a: "1" });
      await store.create(name, { a: "1" });
      await expect(store.create(name, { a: "2" })).rejects.toThrow();
      expect(JSON.parse((await stored(name)) ?? "")).toEqual({ a: "1" });
    });

    it("says nothing of a value in an error", async () => {
      const { store, name } = setUp();
      await store.create(name, { a: "first-value" });
      const error = await store.create(name, { a: "second-value" }).catch((reason: unknown) => reason);
      expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/first-value|second-value/);
    });

    it("reads what was stored, and nothing once it is removed", async () => {
      const { store, name } = setUp();
      expect(await store.read(name)).toBeUndefined();
      await store.create(name, { password: 'pä$$"w' });
      expect(await store.read(name)).toEqual({ password: 'pä$$"w' });
      await store.remove(name);
      expect(await store.read(name)).toBeUndefined();
    });

    it("removes a secret, and one that is gone already", async () => {
      const { store, stored, name } = setUp();
      await store.create(name, { a: "1" });
      await store.remove(name);
      expect(await stored(name)).toBeUndefined();
      await store.remove(name);
      await store.remove(
        store.secretName(organizationIdOf("org"), { kind: "pool", id: randomUUID() }, randomUUID()),
      );
    });

    it("lists what was created for a table before a moment, page by page, and not what was removed", async () => {
      const { store, createElsewhere, tableId, name, advance, nowMs } = setUp();
      await store.create(name, { a: "1" });
      const foreign = store.secretName(anOrganization(), { kind: "machine", id: randomUUID() }, randomUUID());
      await createElsewhere(foreign);
      const removed = store.secretName(
        organizationIdOf("org"),
        { kind: "pool", id: randomUUID() },
        randomUUID(),
      );
      await store.create(removed, { a: "1" });
      await store.remove(removed);
      advance(1_000);
      const later = store.secretName(
        organizationIdOf("org"),
        { kind: "pool", id: randomUUID() },
        randomUUID(),
      );
      const before = nowMs();
      advance(1_000);
      await store.create(later, { a: "1" });
      const names: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const page = await store.listOlderThan({ tableId, createdBeforeMs: before, cursor });
        names.push(...page.names);
        if (page.cursor === undefined) break;
        cursor = page.cursor;
      }
      expect(names).toContain(name);
      expect(names).not.toContain(foreign);
      expect(names).not.toContain(removed);
      expect(names).not.toContain(later);
    });
  });
}
