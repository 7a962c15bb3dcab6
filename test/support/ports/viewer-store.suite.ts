import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function viewerStoreSuite(create: CreateTableStores): void {
  describe("a viewer store", () => {
    const setUp = () => {
      const clock = new FakeClock();
      const { viewers, liveTickets } = create({ clock });
      const organizationId = organizationIdOf(`org_${randomUUID()}`);
      const keyId = randomUUID().replaceAll("-", "");
      const open = (fields: { readonly keyId?: string | null; readonly endsAtMs?: number } = {}) =>
        viewers.open({
          id: v7({ msecs: clock.now() }),
          organizationId,
          websocketId: `${randomUUID()}=`,
          principal: keyId,
          keyId,
          topics: [],
          openedAt: isoTimestamp(clock.now()),
          endsAtMs: clock.now() + 60_000,
          ...fields,
        });
      return { clock, viewers, liveTickets, organizationId, keyId, open };
    };

    it("gives each of a hundred that come at once a place of its own, and none to one more", async () => {
      const { viewers, organizationId, open } = setUp();
      const opened = await Promise.all(Array.from({ length: 25 }, () => open()));
      for (let place = 25; place < 100; place += 1) opened.push(await open());
      expect(new Set(opened.map((viewer) => viewer?.place)).size).toBe(100);
      expect(await open()).toBeUndefined();
      expect(await viewers.list(organizationId)).toHaveLength(100);
    });

    it("gives the place of one that ended to another, whose removal the first one does not cause", async () => {
      const { clock, viewers, organizationId, open } = setUp();
      const ended = [];
      for (let place = 0; place < 100; place += 1) ended.push(await open());
      clock.advance(60_000);
      expect(await viewers.list(organizationId)).toEqual([]);
      const next = await open();
      const before = ended.find((viewer) => viewer?.place === next?.place);
      if (before) await viewers.remove(before);
      expect((await viewers.list(organizationId)).map(({ id }) => id)).toEqual([next?.id]);
      if (next) await viewers.remove(next);
      expect(await viewers.list(organizationId)).toEqual([]);
    });

    it("hears topics and counts frames by the minute; of one that was removed it hears nothing", async () => {
      const { clock, viewers, open } = setUp();
      const viewer = await open();
      if (!viewer) throw new Error("there is no place");
      expect((await viewers.hear(viewer, ["runs"]))?.frames).toBe(1);
      expect(await viewers.hear(viewer)).toMatchObject({ frames: 2, viewer: { topics: ["runs"] } });
      clock.advance(60_000);
      expect((await viewers.hear(viewer))?.frames).toBe(1);
      await viewers.remove(viewer);
      expect(await viewers.hear(viewer, ["machines"])).toBeUndefined();
    });

    it("finds a viewer by its socket, its key and its end", async () => {
      const { clock, viewers, keyId, open } = setUp();
      const viewer = await open();
      await open({ keyId: null });
      expect(await viewers.findBySocket(viewer?.websocketId ?? "")).toMatchObject({ id: viewer?.id });
      expect(await viewers.findBySocket("unknown=")).toBeUndefined();
      expect((await viewers.listByKey(keyId)).map(({ id }) => id)).toEqual([viewer?.id]);
      const isOurs = async () => (await viewers.listEnded(1_000)).some(({ id }) => id === viewer?.id);
      clock.advance(59_999);
      expect(await isOurs()).toBe(false);
      clock.advance(1);
      expect(await isOurs()).toBe(true);
    });

    it("redeems a live ticket once, also when several come at once, and not after its end", async () => {
      const { clock, liveTickets, organizationId, keyId } = setUp();
      const ticket = { organizationId, principal: keyId, keyId, sessionEndsAtMs: null };
      const [first, late] = [randomUUID(), randomUUID()];
      for (const digest of [first, late]) {
        await liveTickets.issue({ ...ticket, digest, expiresAtMs: clock.now() + 60_000 });
      }
      const redeemed = await Promise.all([1, 2, 3].map(() => liveTickets.redeem(first)));
      expect(redeemed.filter((one) => one !== undefined)).toHaveLength(1);
      clock.advance(60_000);
      expect(await liveTickets.redeem(late)).toBeUndefined();
      expect(await liveTickets.redeem(randomUUID())).toBeUndefined();
    });
  });
}
