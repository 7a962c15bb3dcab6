import { describe, expect, it } from "vitest";
import {
  as,
  changedEntity,
  flag,
  json,
  maybe,
  nested,
  number,
  oneOf,
  orElse,
  orNull,
  row,
  spread,
  text,
  texts,
} from "../../../shared/storage/table/row.ts";

interface Lamp {
  readonly id: string;
  readonly isOn: boolean;
  readonly order: number;
  readonly colour: "red" | "green";
  readonly tags: readonly string[];
  readonly settings: { readonly deep: unknown };
  readonly roomId: string | null;
  readonly keyLast4: string;
  readonly size: { readonly width: number; readonly heightCm?: number };
  readonly plug: { readonly id: string; readonly hostName: string } | null;
  readonly note?: string;
}

const lampRow = row<Lamp>("machine", {
  id: text,
  isOn: flag,
  order: as("sort_order", number),
  colour: oneOf(["red", "green"]),
  tags: texts,
  settings: json<Lamp["settings"]>(),
  roomId: orNull(text),
  keyLast4: orElse(text, ""),
  size: nested<Lamp["size"]>({ width: number, heightCm: maybe(number) }),
  plug: orNull(spread("plug_", { id: text, hostName: text })),
  note: maybe(text),
});

const full: Lamp = {
  id: "1",
  isOn: false,
  order: 3,
  colour: "red",
  tags: [],
  settings: { deep: [null] },
  roomId: "r",
  keyLast4: "abcd",
  size: { width: 1, heightCm: 2 },
  plug: { id: "p", hostName: "h" },
  note: "n",
};
const { note: _, ...rest } = full;
const bare: Lamp = { ...rest, roomId: null, keyLast4: "", size: { width: 1 }, plug: null };

const bareItem = {
  kind: "machine",
  id: "1",
  is_on: false,
  sort_order: 3,
  colour: "red",
  tags: [],
  settings: '{"deep":[null]}',
  size: { width: 1 },
};

describe("a row", () => {
  it("writes each field in its attribute", () => {
    expect(lampRow.write(full)).toStrictEqual({
      ...bareItem,
      room_id: "r",
      key_last4: "abcd",
      size: { width: 1, height_cm: 2 },
      plug_id: "p",
      plug_host_name: "h",
      note: "n",
    });
  });

  it("leaves out what is absent", () => {
    expect(lampRow.write(bare)).toStrictEqual(bareItem);
  });

  it.each([full, bare])("reads what it has written, whatever else the item has", (lamp) => {
    expect(lampRow.parse({ ...lampRow.write(lamp), pk: "p", list_pk: "l" })).toStrictEqual(lamp);
  });

  it.each([
    { ...bareItem, kind: "candle" },
    { ...bareItem, colour: "blue" },
    { ...bareItem, tags: "none" },
    { ...bareItem, sort_order: undefined },
    { ...bareItem, room_id: null },
  ])("refuses an item that is no such row", (item) => {
    expect(() => lampRow.parse(item)).toThrow();
  });

  it("changes the fields given, removes those that are absent then, and counts the revision", () => {
    const change = { order: 1, note: undefined, roomId: null, plug: null, settings: { deep: 1 } };
    expect(lampRow.change(change, { due_pk: "d" })).toStrictEqual({
      set: {
        sort_order: 1,
        room_id: null,
        plug_id: null,
        plug_host_name: null,
        settings: '{"deep":1}',
        due_pk: "d",
      },
      add: { revision: 1 },
    });
  });

  it("names its attributes, and leaves out those of heavy fields", () => {
    expect(lampRow.attributes("settings", "plug", "size", "tags")).toStrictEqual([
      "kind",
      "id",
      "is_on",
      "sort_order",
      "colour",
      "room_id",
      "key_last4",
      "note",
    ]);
  });

  it("reads some fields of an item whose others are wrong", () => {
    const some = lampRow.pick("order", "roomId");
    expect(some.attributes()).toStrictEqual(["sort_order", "room_id"]);
    expect(some.parse({ sort_order: 4, colour: 7 })).toStrictEqual({ order: 4, roomId: null });
  });
});

it("an entity is after a change what its row is", () => {
  const before = { name: "a", note: "n" as string | null, revision: 2 };
  expect(changedEntity(before, { name: undefined, note: null })).toStrictEqual({
    name: "a",
    note: null,
    revision: 3,
  });
});
