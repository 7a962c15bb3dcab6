import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import { anOrganization } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const ofKey = 10;
const ofOrganization = 50;

/** Tests may share a table, whose places of all organizations are free again an hour later. */
let startMs = Date.UTC(2026, 0, 15);

/** The stores have 100 places. */
export function waitingPlacesSuite(create: CreateTableStores): void {
  const setUp = () => {
    startMs += 3_600_000;
    const clock = new FakeClock(startMs);
    const { waitingPlaces, lookPlaces } = create({ clock });
    const aWait = (organizationId: OrganizationId, holder = "key") => ({
      organizationId,
      holder,
      id: v7(),
      leaseUntilMs: clock.now() + 25_000,
    });
    const take = (organizationId: OrganizationId, holder?: string) =>
      waitingPlaces.take(aWait(organizationId, holder));
    const takeMany = async (count: number, organizationId: OrganizationId, holder?: string) => {
      const taken = [];
      for (let number = 0; number < count; number += 1) taken.push(await take(organizationId, holder));
      return taken.filter((place) => place !== undefined);
    };
    const keys = Array.from({ length: ofOrganization / ofKey }, (_, number) => `key-${number}`);
    const fill = async (organizationId: OrganizationId) => {
      const taken = await Promise.all(keys.map((key) => takeMany(ofKey, organizationId, key)));
      return taken.flat();
    };
    return { clock, waitingPlaces, lookPlaces, aWait, take, takeMany, keys, fill };
  };

  describe("places of waiting requests", () => {
    it("are ten of a key, and one that is given back is free", async () => {
      const { waitingPlaces, takeMany, take } = setUp();
      const organization = anOrganization();
      const [first, ...others] = await takeMany(ofKey + 1, organization);
      expect(others).toHaveLength(ofKey - 1);
      expect(await take(organization, "another key")).toBeDefined();
      if (first === undefined) throw new Error("none was taken");
      await waitingPlaces.giveBack(first);
      await waitingPlaces.giveBack(first);
      expect(await takeMany(2, organization)).toHaveLength(1);
    });

    it("are fifty of an organization and a hundred of all, exactly", async () => {
      const { waitingPlaces, fill, take } = setUp();
      const [one, two, three] = [anOrganization(), anOrganization(), anOrganization()];
      const [first] = await fill(one);
      expect(await take(one, "yet another key")).toBeUndefined();
      expect(await fill(two)).toHaveLength(ofOrganization);
      expect(await take(three)).toBeUndefined();
      if (first === undefined) throw new Error("none was taken");
      await waitingPlaces.giveBack(first);
      expect(await take(three)).toBeDefined();
      expect(await take(three)).toBeUndefined();
    });

    it("are the same one when it is taken twice", async () => {
      const { waitingPlaces, aWait, takeMany } = setUp();
      const organization = anOrganization();
      const wait = aWait(organization);
      const place = await waitingPlaces.take(wait);
      expect(await waitingPlaces.take(wait)).toEqual(place);
      expect(await takeMany(ofKey, organization)).toHaveLength(ofKey - 1);
      expect(await waitingPlaces.take(wait)).toEqual(place);
    });

    it("are free once their lease has ended, whoever never gave them back", async () => {
      const { clock, fill, keys, takeMany } = setUp();
      const organization = anOrganization();
      await fill(organization);
      clock.advance(25_000);
      expect(await takeMany(1, organization)).toEqual([]);
      clock.advance(1);
      expect(await fill(organization)).toHaveLength(ofOrganization);
      // Many places end in parts, of which a key's own may be the last.
      for (const key of [keys[0], keys.at(-1)]) {
        clock.advance(25_001);
        expect(await fill(organization)).toHaveLength(ofOrganization);
        clock.advance(25_001);
        expect(await takeMany(1, organization, key)).toHaveLength(1);
      }
    });
  });

  describe("places of looks that wait", () => {
    it("are two of a connection, and are not those of other requests", async () => {
      const { lookPlaces, aWait, fill } = setUp();
      const organization = anOrganization();
      await fill(organization);
      const take = async (connection: string) => await lookPlaces.take(aWait(organization, connection));
      const places = [await take("one"), await take("one"), await take("one"), await take("two")];
      expect(places.map((place) => place !== undefined)).toEqual([true, true, false, true]);
      if (places[0] !== undefined) await lookPlaces.giveBack(places[0]);
      expect(await take("one")).toBeDefined();
    });
  });
}
