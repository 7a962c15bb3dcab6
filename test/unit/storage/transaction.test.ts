import { describe, expect, it } from "vitest";
import { check, isNew, isThere, put, remove, update } from "../../../shared/storage/table/expression.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { storesOnModel } from "../../support/stores/model-stores.ts";

const key = (sk: string) => ({ pk: "p", sk });

async function setUp() {
  const { table } = storesOnModel(new FakeClock());
  await table.put({ ...key("taken"), holder: "other" });
  return table;
}

describe("a transaction", () => {
  it("names no part that failed when all of it is written, and writes parts of several and of none", async () => {
    const table = await setUp();
    const { failed } = await table.transact({
      entity: put({ ...key("new"), name: "n" }, isNew),
      rows: [put({ ...key("row") }), update(key("count"), { add: { count: 1 } })],
      limit: undefined,
      others: [],
    });
    expect(failed).toBeUndefined();
    expect(await Promise.all(["new", "row", "count"].map((sk) => table.get(key(sk))))).toEqual([
      { ...key("new"), name: "n" },
      key("row"),
      { ...key("count"), count: 1 },
    ]);
  });

  it("names the part that failed, with the item in the way, and writes nothing", async () => {
    const table = await setUp();
    const { failed, failures } = await table.transact({
      entity: put({ ...key("new") }, isNew),
      name: put({ ...key("taken") }, isNew),
    });
    expect(failed).toBe("name");
    expect(failures.item("name")).toEqual({ ...key("taken"), holder: "other" });
    expect(failures.has("entity")).toBe(false);
    expect(await table.get(key("new"))).toBeUndefined();
  });

  it("names the first of several in the order of its parts, and tells of each, and where in its part", async () => {
    const table = await setUp();
    const { failed, failures } = await table.transact({
      fine: remove(key("taken")),
      checks: [check(key("count"), isNew), check(key("none"), isThere)],
      entity: put({ ...key("other") }, isThere),
    });
    expect(failed).toBe("checks");
    expect([failures.has("checks", 0), failures.has("checks", 1), failures.has("entity")]).toEqual([
      false,
      true,
      true,
    ]);
    expect(failures.item("checks", 1)).toBeUndefined();
  });

  it("does not compile with a name that no part has", async () => {
    const table = await setUp();
    const { failed, failures } = await table.transact({ limit: put({ ...key("taken") }, isNew) });
    // @ts-expect-error there is no such part
    expect(failed === "limt").toBe(false);
    // @ts-expect-error there is no such part
    expect(failures.has("limt")).toBe(false);
  });
});
