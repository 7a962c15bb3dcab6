import { describe, expect, it } from "vitest";
import { changedValues } from "../../../functions/console/page/parts/form/form-values.ts";
import { fieldsOf } from "../../../functions/console/page/parts/form/schema-fields.ts";
import { localText, timeOf } from "../../../functions/console/page/parts/list/local-time.ts";
import { withGroupId } from "../../../functions/console/page/rest/tags/tag-forms.ts";
import { lastDays } from "../../../functions/console/page/rest/usage/days.ts";

describe("a form that edits", () => {
  const fields = fieldsOf({
    properties: { name: { type: "string" }, limit: { type: ["integer", "null"] }, more: { type: "object" } },
  });

  it("sends the fields that were changed, and no others", () => {
    const before = { name: "one", limit: "3", more: "{}" };
    expect(
      changedValues(fields, before, { ...before, name: "two" }, { name: "two", limit: 3, more: {} }),
    ).toEqual({
      name: "two",
    });
  });

  it("empties a text, and sets a number to null", () => {
    const after = { name: "", limit: "", more: "{}" };
    expect(changedValues(fields, { name: "one", limit: "3", more: "{}" }, after, { more: {} })).toEqual({
      name: "",
      limit: null,
    });
  });
});

describe("a tag's form", () => {
  const groups = [{ id: "g1", name: "Team" }];

  it("names the group by its id, and none by null", () => {
    expect(withGroupId({ name: "a", group: "Team" }, groups)).toEqual({ name: "a", group_id: "g1" });
    expect(withGroupId({ group: null }, groups)).toEqual({ group_id: null });
    expect(withGroupId({ name: "a" }, groups)).toEqual({ name: "a" });
  });
});

describe("days and times", () => {
  it("counts today among the last days", () => {
    expect(lastDays(30, Date.parse("2026-03-01T00:30:00Z"))).toEqual({
      from_date: "2026-01-31",
      to_date: "2026-03-01",
    });
  });

  it("shows a timestamp in the browser's time zone, and reads it back", () => {
    const at = "2026-03-29T10:15:00.000Z";
    expect(timeOf(localText(at))).toBe(at);
    expect([localText(undefined), localText("yesterday"), timeOf("")]).toEqual(["", "", undefined]);
  });
});
