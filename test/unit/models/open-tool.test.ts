import { describe, expect, it } from "vitest";
import { openToolBox } from "../../../shared/models/tools/tool-box.ts";

const types = ["open", "finish"] as const;

describe("the tool that opens programs", () => {
  it.each(["absent", "null"] as const)("says which there are, on each desktop its own (%s)", (optional) => {
    const descriptionFor = (programs: readonly string[]) =>
      openToolBox({ types, programs }, { computer: undefined, optional }).tools.open?.description;
    expect(descriptionFor(["Orders", "Büro 4.1"])).toMatch(/Its programs: Orders, Büro 4\.1\.$/);
    expect(descriptionFor(["Till"])).toMatch(/Its programs: Till\.$/);
  });

  it("uses what is open unless it is told to restart it", () => {
    const box = openToolBox({ types, programs: ["Orders"] }, { computer: undefined, optional: "null" });
    expect(box.decide("open", { program: "Orders", if_open: null, target: null })).toEqual({
      kind: "actions",
      actions: [{ type: "open", program: "Orders", if_open: "use" }],
    });
    expect(box.decide("open", { program: "Orders", if_open: "close" })).toMatchObject({ kind: "invalid" });
  });
});
