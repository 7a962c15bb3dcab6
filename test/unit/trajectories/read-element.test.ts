import { describe, expect, test } from "vitest";
import type { Json } from "../../../shared/domain/json.ts";
import { encodePng } from "../../../shared/pictures/encode-png.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";

const { readElement, readScreens } = zodTrajectoryReader;
const png = Buffer.from(encodePng({ width: 64, height: 64, data: new Uint8Array(64 * 64 * 3) })).toString(
  "base64",
);
const piece = { x: 10, y: 20, width: 64, height: 64, png };
const bounds = Buffer.alloc(64 * 40, 24).toString("base64");
const reasonFor = (value: Json) => {
  const read = readElement(value);
  return read.kind === "unreadable" ? read.reason : undefined;
};

describe("an element", () => {
  test.each<[string, Json]>([
    ["a click", { type: "click", x: 1, y: 2, target: "the button Save" }],
    ["a click where the pointer is", { type: "click" }],
    ["a drag", { type: "drag", start_x: 1, start_y: 2, to_x: 3, to_y: 4 }],
    ["typing", { type: "type", text: "{customer.name} {$password}" }],
    ["keys", { type: "key", text: "ctrl+a Delete" }],
    ["opening a program", { type: "open", program: "{program}", if_open: "restart" }],
    ["a wait", { type: "wait", seconds: 5 }],
    ["a screenshot", { type: "screenshot" }],
    ["copying", { type: "copy_to_clipboard", save_as: "number" }],
    ["reading a file", { type: "read_file", path: "~/Transfers/{name}.csv", save_as: "lines" }],
    ["writing a file", { type: "write_file", path: "~/Transfers/in.csv", content: "{lines}" }],
    ["a command", { type: "shell", command: "date", save_as: "today" }],
    ["reading the screen", { type: "read", question: "which number?", schema: {}, save_as: "number" }],
    ["finishing", { type: "finish", output: { number: "{number}", rows: [1, null] } }],
    ["finishing without output", { type: "finish" }],
    ["failing", { type: "fail", reason: "the customer is blocked" }],
  ])("is read: %s", (_, action) => {
    const read = readElement({ action });
    expect(read).toMatchObject({ kind: "element", element: { action, by: "replay", timeoutMs: 10_000 } });
  });

  test("is read with what it is known by", () => {
    const guard = { ...piece, thumbnail: png, bounds };
    const element = { action: { type: "key", text: "Return" }, by: "model", anchor: piece, guard };
    expect(readElement({ ...element, timeout_ms: 500 })).toEqual({
      kind: "element",
      element: { ...element, timeoutMs: 500 },
    });
  });

  test.each<[string, Json, string]>([
    ["is a text", "click", "invalid input: expected object, received string"],
    ["has no action", {}, "action: is missing"],
    ["is of another format", { action: "left_click" }, "action: invalid input: expected object"],
    ["has an unknown type", { action: { type: "zoom" } }, "action.type: "],
    ["has an unknown field", { action: { type: "click" }, note: "" }, "note is not a field of it"],
    ["has half a point", { action: { type: "click", x: 1 } }, "action.y: "],
    ["types nothing", { action: { type: "type", text: "" } }, "action.text: "],
    ["fills a value into keys", { action: { type: "key", text: "{$pin}" } }, "action.text: keys are names"],
    ["saves under no name", { action: { type: "copy_to_clipboard", save_as: "a b" } }, "action.save_as: "],
    ["names a key for a desktop", { action: { type: "copy_to_clipboard", text: "a" } }, "action.save_as: "],
    [
      "writes too much",
      { action: { type: "write_file", path: "a", content: "é".repeat(32_769) } },
      "action.content: at most 65536 bytes, not 65538",
    ],
    ["waits for hours", { action: { type: "wait", seconds: 61 } }, "action.seconds: "],
    ["has a huge piece", { action: { type: "click" }, anchor: { ...piece, width: 321 } }, "anchor.width: "],
    ["has no picture", { action: { type: "click" }, anchor: { ...piece, png: "" } }, "anchor.png: "],
    ["has no base64", { action: { type: "click" }, anchor: { ...piece, png: "é" } }, "anchor.png: "],
    [
      "has bounds of another size",
      { action: { type: "key", text: "a" }, guard: { ...piece, bounds: "AAAA" } },
      "guard.bounds: ",
    ],
    ["is decided by a person", { action: { type: "click" }, by: "person" }, "by: "],
    ["waits for its screen for hours", { action: { type: "click" }, timeout_ms: 60_001 }, "timeout_ms: "],
  ])("cannot be replayed that %s", (_, value, reason) => {
    expect(reasonFor(value)).toContain(reason);
  });

  test("says where its problem is", () => {
    const value = { action: { type: "click" }, anchor: { ...piece, x: -1 } };
    expect(readElement(value)).toMatchObject({ kind: "unreadable", path: ["anchor", "x"] });
  });
});

describe("what is stored beside the elements", () => {
  test("is read, a scale of 1 where there is none", () => {
    const checks = [{ kind: "file", path: "~/Transfers/out.csv" }] as const;
    const dimensions = { width: 1280, height: 800 };
    const whole = { dimensions: { ...dimensions, scale: 1 }, expect: [piece], checks, reset: [] };
    expect(readScreens({ dimensions, screens: { expect: [piece], checks: [...checks] } })).toEqual(whole);
    expect(readScreens({ dimensions: { ...dimensions, scale: 2 }, screens: null })).toEqual({
      dimensions: { ...dimensions, scale: 2 },
      expect: [],
      checks: [],
      reset: [],
    });
  });
});
