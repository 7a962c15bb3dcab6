import { describe, expect, it } from "vitest";
import { promptParts, readPrompt } from "../../../../functions/console/page/workflows/edit/prompt-names.ts";

const dollar = "$";

describe("a prompt as it is typed", () => {
  it("is in parts that are the prompt again, with inputs, secrets and mistakes apart", () => {
    const prompt = `As {user} with {$pin}: ${dollar}{other}, { customer } and {{a}} {} {1}.`;
    const parts = promptParts(prompt);
    expect(parts.map(({ text }) => text).join("")).toBe(prompt);
    expect(parts.filter(({ kind }) => kind !== "text")).toEqual([
      { kind: "input", text: "{user}" },
      { kind: "secret", text: "{$pin}" },
      { kind: "mistaken", text: `${dollar}{other}` },
      { kind: "mistaken", text: "{ customer }" },
      { kind: "input", text: "{a}" },
    ]);
  });

  it("names each input and secret once, by what a run gives", () => {
    const prompt = "{customer.name}, {customer.town}, {$bank.totp}, {$bank}, {order.number}";
    const { names } = readPrompt(prompt, ["order.number"], false);
    expect(names).toEqual([
      { name: "customer", isSecret: false, count: 2, isInSchema: false },
      { name: "bank", isSecret: true, count: 2, isInSchema: false },
      { name: "order.number", isSecret: false, count: 1, isInSchema: true },
    ]);
  });

  it("has the service's own folder as no input, where files are exported", () => {
    expect(readPrompt("Save to {exports}", [], true).names).toEqual([]);
    expect(readPrompt("Save to {exports}", [], false).names).toHaveLength(1);
  });

  it("says what the schema describes and the prompt leaves out, and how a mistaken name is written", () => {
    const { unnamed, mistaken } = readPrompt(`{ user } and ${dollar}{user} and { user }`, ["user"], false);
    expect(unnamed).toEqual(["user"]);
    expect(mistaken).toEqual([
      { text: "{ user }", instead: "{user}" },
      { text: `${dollar}{user}`, instead: "{user}" },
    ]);
  });
});
