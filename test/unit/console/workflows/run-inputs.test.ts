import { describe, expect, it } from "vitest";
import { nextStep } from "../../../../functions/console/page/workflows/next-step.ts";
import { inputsBody, runInputs } from "../../../../functions/console/page/workflows/start/run-inputs.ts";
import {
  differs,
  verifyFields,
} from "../../../../functions/console/page/workflows/trajectory/verify-fields.ts";

const workflow = {
  main_prompt: "As {user} with {$pin}: {customer}",
  input_schema: {
    type: "object",
    properties: { customer: { type: "string" }, count: { type: "integer" } },
    required: ["customer", "count"],
  },
  includes_file_exports: false,
};

describe("the form that starts a run", () => {
  it("asks for what the schema, the prompt and the recording name", () => {
    const recorded = { inputs: ["user", "note"], secrets: ["bank"] };
    const { fields, secrets } = runInputs(workflow, ["count"], recorded);
    expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["customer", true],
      // The machine gives it.
      ["count", false],
      ["user", false],
      ["note", false],
    ]);
    expect(secrets).toEqual(["pin", "bank"]);
  });

  it("sends the secrets that were written", () => {
    const given = { inputs: {}, secrets: { pin: "2468", other: "x" } };
    expect(inputsBody({ town: "Bonn" }, ["pin", "bank"], given)).toEqual({
      input_values: { town: "Bonn" },
      sensitive_input_values: { pin: "2468" },
    });
    expect(inputsBody({}, ["bank"], given)).toEqual({ input_values: {} });
  });
});

describe("a verification", () => {
  it("begins with the recording's inputs, each of its kind, and needs another one", () => {
    const recorded = { count: 3, customer: "Miller" };
    const fields = verifyFields(recorded, null);
    expect(fields.map(({ name, kind, text }) => [name, kind, text])).toEqual([
      ["count", "number", "3"],
      ["customer", "text", "Miller"],
    ]);
    expect(differs(recorded, { count: 3, customer: "Miller" })).toBe(false);
    expect(differs(recorded, { count: 4 })).toBe(true);
  });
});

describe("what a workflow needs next", () => {
  const made = { id: "t", is_approved: false, verified_at: null, is_main: false };

  it("is a recording, its verification, its approval, and then a run", () => {
    expect(nextStep([])).toEqual({ step: "record", trajectoryId: undefined });
    expect(nextStep([made])).toEqual({ step: "verify", trajectoryId: "t" });
    const verified = { ...made, id: "v", verified_at: "2026-11-27T00:00:00Z" };
    expect(nextStep([made, verified])).toEqual({ step: "approve", trajectoryId: "v" });
    const main = { ...made, id: "m", is_approved: true, is_main: true };
    expect(nextStep([made, verified, main])).toEqual({ step: "run", trajectoryId: "m" });
  });
});
