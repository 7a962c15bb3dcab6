import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../shared/domain/json.ts";
import { decideComputer } from "../../../shared/models/tools/computer-tool.ts";

const coordinate = [10, 20];
const at = { x: 10, y: 20 };
const click = { type: "click", button: "left", clicks: 1, ...at };
const shift = (down: boolean) => ({ type: "key", text: "shift", down });

describe("Anthropic's computer tool", () => {
  it.each<[JsonObject, readonly object[]]>([
    [{ action: "left_click", coordinate }, [click]],
    [{ action: "left_click", coordinate: null }, [{ type: "click", button: "left", clicks: 1 }]],
    [{ action: "right_click", coordinate }, [{ ...click, button: "right" }]],
    [{ action: "middle_click", coordinate }, [{ ...click, button: "middle" }]],
    [{ action: "double_click", coordinate }, [{ ...click, clicks: 2 }]],
    [{ action: "triple_click", coordinate }, [{ ...click, clicks: 3 }]],
    [{ action: "left_click", coordinate, text: "shift" }, [shift(true), click, shift(false)]],
    [{ action: "left_mouse_down" }, [{ type: "click", button: "left", clicks: 1, down: true }]],
    [{ action: "left_mouse_up" }, [{ type: "click", button: "left", clicks: 1, down: false }]],
    [{ action: "mouse_move", coordinate }, [{ type: "move", ...at }]],
    [
      { action: "left_click_drag", start_coordinate: [1, 2], coordinate },
      [{ type: "drag", start_x: 1, start_y: 2, to_x: 10, to_y: 20, button: "left" }],
    ],
    [
      { action: "scroll", coordinate, scroll_direction: "down", scroll_amount: 3 },
      [{ type: "scroll", direction: "down", amount: 3, ...at }],
    ],
    [{ action: "type", text: "{$password}" }, [{ type: "type", text: "{$password}" }]],
    [{ action: "key", text: "ctrl+a" }, [{ type: "key", text: "ctrl+a" }]],
    [{ action: "key", text: "Tab", repeat: 3 }, [{ type: "key", text: "Tab Tab Tab" }]],
    [
      { action: "hold_key", text: "shift", duration: 2 },
      [shift(true), { type: "wait", seconds: 2 }, shift(false)],
    ],
    [{ action: "wait", duration: 1.5 }, [{ type: "wait", seconds: 1.5 }]],
    [{ action: "screenshot" }, [{ type: "screenshot" }]],
  ])("has %j in our vocabulary", (args, actions) => {
    expect(decideComputer(args)).toEqual({ kind: "actions", actions });
  });

  it("shows a part of the screen", () => {
    const region = { x: 10, y: 20, width: 100, height: 50 };
    expect(decideComputer({ action: "zoom", region: [10, 20, 110, 70] })).toEqual({ kind: "zoom", region });
  });

  it.each<[JsonObject, RegExp]>([
    [{ action: "cursor_position" }, /cursor_position cannot be done here/],
    [{ action: "zoom", region: [110, 70, 10, 20] }, /zoom: region/],
    [{ action: "zoom" }, /zoom: region/],
    [{ action: "left_click_drag", coordinate }, /start_coordinate/],
    [{ action: "mouse_move" }, /x: /],
    [{ action: "left_click", coordinate: [1.5, 2] }, /x: /],
    [{ action: "left_click", coordinate: ["1", 2] }, /coordinate/],
    [{ action: "left_click", coordinate, text: "no key!" }, /keys are names/],
    [{ action: "hold_key", duration: 1 }, /text: /],
    [{ action: "key", text: "Tab", repeat: 65 }, /repeat is 1 to 64/],
    [{ action: "key" }, /text: /],
    [{ action: "wait", duration: 100 }, /seconds: /],
    [{ action: "scroll", coordinate, scroll_amount: 3 }, /direction: /],
    [{ coordinate }, /action/],
  ])("is told what is wrong with %j", (args, words) => {
    expect(decideComputer(args)).toEqual({ kind: "invalid", error: expect.stringMatching(words) });
  });
});
