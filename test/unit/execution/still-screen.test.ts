import { describe, expect, it } from "vitest";
import { isStill, type StillScreen, stillSince } from "../../../shared/domain/screen/still-screen.ts";
import { aProgram, drawProgram } from "../../support/pictures/program-screen.ts";

type Program = Parameters<typeof aProgram>[0];

/** Time after which the screen counts as still, seen every 250 ms; undefined where it does not within 10 s. */
function stillAfter(program: (ms: number) => Program): number | undefined {
  let seen: StillScreen | undefined;
  for (let ms = 0; ms <= 10_000; ms += 250) {
    seen = stillSince(seen, drawProgram(aProgram(program(ms))), ms);
    if (isStill(seen, ms)) return ms;
  }
  return undefined;
}

const second = (ms: number) => Math.floor(ms / 1_000);

describe("a screen", () => {
  it.each<[string, (ms: number) => Program]>([
    ["nothing changes", () => ({})],
    ["there is a clock with seconds", (ms) => ({ clock: `10:41:0${second(ms)}` })],
    ["there is a spinner", (ms) => ({ spinner: ms / 250 })],
    ["a cursor blinks", (ms) => ({ focused: "Amount", caret: second(2 * ms) % 2 === 0 })],
  ])("is still after 3 s where %s", (_, program) => {
    expect(stillAfter(program)).toBe(3_000);
  });

  it.each<[string, (ms: number) => Program, number | undefined]>([
    ["after a dialog", (ms) => ({ dialog: ms < 2_000 ? null : "plain" }), 5_000],
    ["after a letter that came late", (ms) => ({ fields: { Amount: ms < 2_000 ? "" : "7" } }), 5_000],
    [
      "never while pages come and go",
      (ms) => ({ dialog: second(ms) % 2 === 0 ? null : "dimmed" }),
      undefined,
    ],
  ])("is still %s", (_, program, after) => {
    expect(stillAfter(program)).toBe(after);
  });
});
