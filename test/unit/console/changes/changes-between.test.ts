import { expect, it } from "vitest";
import { changesBetween } from "../../../../functions/console/page/parts/changes/changes-between.ts";

it("names the fields that differ, with both texts", () => {
  const fields = {
    Name: ({ name }: { name: string }) => name,
    Length: ({ name }: { name: string }) => `${name.length}`,
  };
  expect(changesBetween({ name: "a" }, { name: "b" }, fields)).toEqual([
    { name: "Name", before: "a", after: "b" },
  ]);
  expect(changesBetween({ name: "a" }, { name: "a" }, fields)).toEqual([]);
});
