import { v7 } from "uuid";
import { expect, it } from "vitest";
import { deriveId, timestampOfId } from "../../../shared/domain/derive-id.ts";

it("derives ids of the same millisecond, each another one, the same every time", () => {
  const id = v7();
  const made = Array.from({ length: 1_000 }, (_, number) => deriveId(id, number));
  expect(new Set(made).size).toBe(1_000);
  expect(made[0]).toBe(id);
  expect(made).toEqual(Array.from({ length: 1_000 }, (_, number) => deriveId(id, number)));
  for (const each of made)
    expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(made.map((each) => each.slice(0, 13)))).toEqual(new Set([id.slice(0, 13)]));
});

it("begins anew at the end of the digits it counts in", () => {
  const id = "01890000-0000-7000-8000-ffffffffffff";
  expect(deriveId(id, 1)).toBe("01890000-0000-7000-8000-000000000000");
});

it("tells when an id was made", () => {
  const msecs = Date.UTC(2026, 1, 3, 4, 5, 6, 7);
  expect(timestampOfId(v7({ msecs }))).toBe(msecs);
});
