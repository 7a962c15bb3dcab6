import { createHash } from "node:crypto";
import { decode } from "sixel";
import { describe, expect, it } from "vitest";
import { findPictureSupport } from "../../../../infra/cli/pictures/picture-protocol.ts";
import { pictureText } from "../../../../infra/cli/pictures/picture-text.ts";
import { encodePng } from "../../../../shared/pictures/encode-png.ts";
import { memoryTerminal } from "../../../support/cli/memory-terminal.ts";

const kind = "\u001b[c";
const kitty = `\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\${kind}`;
const size = "\u001b[14t";

type Terminal = NonNullable<Parameters<typeof memoryTerminal>[0]>;

const support = async (terminal: Terminal) =>
  await findPictureSupport(memoryTerminal({ columns: 80, isInteractive: true, ...terminal }));

describe("what a terminal shows of pictures", () => {
  it.each<[string, Terminal, unknown]>([
    [
      "kitty's protocol, asked for",
      { responses: { [kitty]: "\u001b_Gi=31;OK\u001b\\\u001b[?62;c" } },
      { protocol: "kitty" },
    ],
    [
      "sixels, as wide as its window",
      { responses: { [kitty]: "\u001b[?62;4;6c", [size]: "\u001b[4;600;1024t" } },
      { protocol: "sixel", widthMax: 1_024 },
    ],
    [
      "sixels without a width",
      { responses: { [kitty]: "\u001b[?63;4c" } },
      { protocol: "sixel", widthMax: 640 },
    ],
    ["iTerm2's own", { environment: { TERM_PROGRAM: "iTerm.app" } }, { protocol: "iterm2" }],
    [
      "inside of tmux what tmux shows, whatever is outside",
      {
        environment: { TMUX: "/run/tmux", TERM_PROGRAM: "iTerm.app" },
        responses: { [kind]: "\u001b[?1;4c" },
      },
      { protocol: "sixel", widthMax: 640 },
    ],
    ["nothing: another kind of terminal", { responses: { [kitty]: "\u001b[?64;1;2c" } }, undefined],
    ["nothing: a kind with a 4 in another number", { responses: { [kitty]: "\u001b[?64;14c" } }, undefined],
    ["nothing: no response", {}, undefined],
    ["nothing: a pipe", { isInteractive: false, environment: { TERM_PROGRAM: "iTerm.app" } }, undefined],
    ["nothing: a dumb terminal", { environment: { TERM: "dumb", TERM_PROGRAM: "iTerm.app" } }, undefined],
  ])("is %s", async (_what, terminal, expected) => {
    expect(await support(terminal)).toEqual(expected);
  });
});

describe("a picture as text", () => {
  const red = [250, 0, 0];
  const blue = [0, 0, 250];
  const data = Uint8Array.from(Array.from({ length: 1_440 }, (_, at) => (at % 40 < 20 ? red : blue)).flat());
  const png = Buffer.from(encodePng({ width: 40, height: 36, data }));

  it("is cut into parts of 4,096 characters for kitty, the last of which says so", async () => {
    const pixels = createHash("shake256", { outputLength: 10_800 }).digest();
    const large = Buffer.from(encodePng({ width: 60, height: 60, data: pixels }));
    const text = await pictureText("kitty", large, 80);
    const parts = text
      .trimEnd()
      .split("\u001b\\")
      .filter((part) => part !== "")
      .map((part) => part.replace("\u001b_G", "").split(";"));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(([keys = ""]) => keys.slice(-3))).toEqual([...parts.slice(1).map(() => "m=1"), "m=0"]);
    expect(Math.max(...parts.map(([, part = ""]) => part.length))).toBe(4_096);
    expect(Buffer.from(parts.map(([, part]) => part).join(""), "base64").equals(large)).toBe(true);
  });

  it("is one sequence for iTerm2, with its size and width", async () => {
    const text = await pictureText("iterm2", png, 80);
    expect(text).toBe(
      `\u001b]1337;File=inline=1;size=${png.byteLength};width=80;preserveAspectRatio=1:${png.toString("base64")}\u0007\n`,
    );
  });

  it("is sixels of the same pixels", async () => {
    const text = await pictureText("sixel", png, 80);
    const { width, height, data32 } = decode(text.slice(text.indexOf("q") + 1, text.indexOf("\u001b\\")));
    expect([width, height]).toEqual([40, 36]);
    const [first = 0, second = 0] = [data32[0], data32[39]];
    expect([first & 255, (second >> 16) & 255].every((part) => part > 230)).toBe(true);
    expect([(first >> 16) & 255, second & 255]).toEqual([0, 0]);
  });
});
