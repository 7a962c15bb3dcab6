import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { Cancelled } from "../../../infra/cli/program/failures.ts";
import { askSecret } from "../../../infra/cli/terminal/ask-secret.ts";
import { relativeTime } from "../../../infra/cli/terminal/relative-time.ts";
import { tableLines } from "../../../infra/cli/terminal/table.ts";
import { hasColour } from "../../../infra/cli/terminal/terminal.ts";

describe("a table", () => {
  it("has columns as wide as their texts, wide characters and emoji counted as two", () => {
    expect(
      tableLines(
        ["A", "B"],
        [
          ["日本", "x"],
          ["👩‍👩‍👧", "y"],
          ["é", "z"],
        ],
      ),
    ).toEqual(["A     B", "日本  x", "👩‍👩‍👧    y", "é     z"]);
  });

  it("cuts the widest columns until it fits, and never the first, which names the row", () => {
    const id = "01890a5d-ac96-774b-bcce-b302099a8057";
    const lines = tableLines(["ID", "NAME", "WORDS"], [[id, "a".repeat(30), "日".repeat(30)]], 70);
    expect(lines[1]).toMatch(/^01890a5d-ac96-774b-bcce-b302099a8057 {2}a+… {2}日+…$/);
    // Seventy columns, of which wide characters take two.
    expect([...(lines[1] ?? "")].reduce((sum, each) => sum + (each === "日" ? 2 : 1), 0)).toBeLessThanOrEqual(
      70,
    );
  });
});

it("a table leaves out its last columns where they would have fewer than ten characters", () => {
  const row = ["id", "a".repeat(20), "b".repeat(20), "c".repeat(20)];
  expect(tableLines(["ID", "A", "B", "C"], [row], 30)).toEqual([
    "ID  A             B",
    `id  ${"a".repeat(11)}…  ${"b".repeat(11)}…`,
  ]);
});

describe("colours", () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    [{ TERM: "dumb" }, true, false],
  ])("by %j and a terminal %s are %s", (environment, isTerminal, expected) => {
    expect(hasColour(environment, isTerminal)).toBe(expected);
  });
});

it.each([
  [-500, "now"],
  [-3_000, "3 s ago"],
  [-90_000, "1 min ago"],
  [-7_200_000, "2 h ago"],
  [-200_000_000, "2 d ago"],
  [65_000, "in 1 min"],
])("a time %i ms from now is %s", (distanceMs, text) => {
  expect(relativeTime(1_000_000_000 + distanceMs, 1_000_000_000)).toBe(text);
});

describe("a secret", () => {
  function typing() {
    const raw: boolean[] = [];
    const input = Object.assign(new PassThrough(), {
      setRawMode(isRaw: boolean) {
        raw.push(isRaw);
        return this;
      },
    });
    const output = new PassThrough();
    const asked = askSecret("Key: ", input as never, output);
    return { raw, input, output, asked };
  }

  it("is read without being shown, and the terminal is as before", async () => {
    const { raw, input, output, asked } = typing();
    input.write("das_x");
    input.write("\u007fy\r");
    expect(await asked).toBe("das_y");
    expect([raw, String(output.read())]).toEqual([[true, false], "Key: \n"]);
  });

  it("ends with ctrl-C", async () => {
    const { raw, input, asked } = typing();
    input.write("das\u0003");
    await expect(asked).rejects.toBeInstanceOf(Cancelled);
    expect(raw).toEqual([true, false]);
  });
});
