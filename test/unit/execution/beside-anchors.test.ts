import { describe, expect, it } from "vitest";
import { cutPointGuard } from "../../../shared/domain/picture/cut-beside.ts";
import type { Rectangle } from "../../../shared/domain/picture/picture.ts";
import { matchElement } from "../../../shared/domain/screen/match-element.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { type BesidePair, besidePairs } from "../../support/pictures/beside-pairs.ts";

const trail = { element: null, movedBy: { dx: 0, dy: 0 }, masks: [], painted: [] };

function look(
  { screen, element, size }: Pick<BesidePair, "screen" | "element" | "size">,
  masks: readonly Rectangle[] = [],
) {
  const context = { codec: pngCodec, recordedSize: size, lastAnchored: undefined };
  return matchElement(screen, element, { ...context, trail: { ...trail, masks } });
}

describe("a click in the middle of a wide field", () => {
  const seed = 7;
  const pairs = [...besidePairs(seed)];

  it("is recorded for a replay, by what lies beside it and what is at its point", () => {
    expect(pairs.length).toBeGreaterThan(10);
    expect(pairs[0]?.element).toMatchObject({
      by: "replay",
      anchor: { png: expect.any(String) },
      guard: { width: 96, height: 48 },
    });
  });

  it.each(pairs.map((pair) => [pair.name, pair] as const))(
    "is found where it is, or not at all: %s",
    (_, pair) => {
      const match = look(pair);
      if (pair.isRequired) expect(match).toMatchObject({ isFound: true, movedBy: pair.movedBy });
      if (pair.movedBy === null) expect(match?.isFound).toBe(false);
      if (match?.isFound === true) expect(match.movedBy).toEqual(pair.movedBy);
    },
  );

  it.each([
    "the field is disabled",
    "the field is not there",
    "a note over the point",
    "the field is filled up to the point",
    "the field lies elsewhere, above or below",
  ])("is not done where only its own place is another one: %s", (name) => {
    const pair = pairs.find((each) => each.name === name);
    if (pair === undefined) throw new Error("there is no such case");
    const { guard: _, ...alone } = pair.element;
    expect(look({ ...pair, element: alone })?.isFound).toBe(true);
    expect(look(pair)).toMatchObject({ isFound: false, reason: "point_differs" });
  });

  it("is what keys after it go by, too, where nothing else was recorded", () => {
    const [same] = pairs;
    const covered = pairs.find(({ name }) => name === "a note over the point");
    const { anchor, guard } = same?.element ?? {};
    if (same === undefined || covered === undefined || anchor === undefined) throw new Error("no pairs");
    const key = { action: { type: "key", text: "Return" }, by: "replay", timeoutMs: 0 } as const;
    const context = { codec: pngCodec, trail, recordedSize: same.size, lastAnchored: { anchor, guard } };
    expect(matchElement(same.screen, key, context)?.isFound).toBe(true);
    expect(matchElement(covered.screen, key, context)).toMatchObject({ reason: "point_differs" });
  });

  it("is not done where what the run typed lies all around its point", () => {
    const [same] = pairs;
    const guard = same?.element.guard;
    if (same === undefined || guard === undefined) throw new Error("no pairs");
    const { x, y, width, height } = guard;
    const masks = [{ x, y, width, height }];
    expect(look(same, masks)).toMatchObject({ isFound: false, reason: "point_differs" });
    const text = [{ x, y: y + 14, width, height: 20 }];
    expect(look(same, text)?.isFound).toBe(true);
    const point = { x: x + width / 2, y: y + height / 2 };
    expect(cutPointGuard(same.screen, point, masks)).toBeUndefined();
    expect(cutPointGuard(same.screen, point, text)).toBeDefined();
  });
});
