import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDifference } from "../../../../functions/console/page/parts/changes/text-difference.ts";

describe("the difference of two texts", () => {
  it("shows the words that were removed and added", () => {
    expect(textDifference("Print the invoice of {customer}.", "Print the last invoice of {client}.")).toEqual(
      [
        { kind: "same", text: "Print the " },
        { kind: "added", text: "last " },
        { kind: "same", text: "invoice of {" },
        { kind: "removed", text: "customer" },
        { kind: "added", text: "client" },
        { kind: "same", text: "}." },
      ],
    );
  });

  it("has both texts whole, whatever they are", () => {
    const words = fc
      .array(fc.constantFrom("a", "b", " ", "\n", "ä", "{x}", "🧾"))
      .map((each) => each.join(""));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const parts = textDifference(before, after);
        const without = (kind: string) =>
          parts
            .filter((part) => part.kind !== kind)
            .map(({ text }) => text)
            .join("");
        expect([without("added"), without("removed")]).toEqual([before, after]);
      }),
    );
  });

  it("is told of long texts without a table of all their words", () => {
    const [before, after] = ["a ".repeat(40_000), "b ".repeat(40_000)];
    expect(textDifference(before, after).map(({ kind }) => kind)).toEqual(["removed", "added", "same"]);
  });
});
