import { describe, expect, it } from "vitest";
import { typedText } from "../../../../functions/console/page/workflows/record/typed-text.ts";

describe("a text that is typed while a demonstration is recorded", () => {
  it("is the same in each run, an input by its name, or a secret that the page does not have", () => {
    expect(typedText("text", "Miller", "")).toEqual({ type: "type", text: "Miller" });
    expect(typedText("input", "Miller", "customer")).toEqual({
      type: "type",
      text: "Miller",
      as_input: "customer",
    });
    expect(typedText("secret", "", "pin")).toEqual({ type: "type", text: "{$pin}" });
    expect(typedText("code", "", "bank")).toEqual({ type: "type", text: "{$bank.totp}" });
  });

  it("is not sent while a part of it is missing", () => {
    expect(typedText("text", "", "")).toBeUndefined();
    expect(typedText("input", "Miller", "")).toBeUndefined();
    expect(typedText("input", "", "customer")).toBeUndefined();
    expect(typedText("secret", "", "")).toBeUndefined();
  });
});
