import { describe, expect, it } from "vitest";
import {
  bodyOf,
  changedMeanwhile,
  type EditedWorkflow,
  numberOf,
  withChange,
} from "../../../../functions/console/page/workflows/edit/workflow-draft.ts";

const saved = {
  name: "Invoices",
  main_prompt: "Print",
  max_steps: 100,
  metadata: { order: "7", team: "a" },
} as unknown as EditedWorkflow;

describe("a workflow that is edited", () => {
  it("sends what was changed alone, and nothing that was changed back", () => {
    const changes = withChange(saved, withChange(saved, {}, { name: "Bills", max_steps: 5 }), {
      name: "Invoices",
    });
    expect(bodyOf(saved, changes)).toEqual({ max_steps: 5 });
  });

  it("removes pairs of metadata one by one, since the service keeps what is not named", () => {
    const changes = withChange(saved, {}, { metadata: { team: "b" } });
    expect(bodyOf(saved, changes)).toEqual({ metadata: { team: "b", order: null } });
  });

  it("shows what somebody else has changed meanwhile, beside the own change", () => {
    const now = { ...saved, name: "Theirs", max_steps: 3 };
    expect(changedMeanwhile(saved, now, { name: "Mine", main_prompt: "Mine" })).toEqual([
      { field: "name", before: "Invoices", theirs: "Theirs", mine: "Mine" },
      { field: "max_steps", before: 100, theirs: 3, mine: undefined },
    ]);
  });

  it("reads numbers, and leaves to the service what is none", () => {
    expect([numberOf("12"), numberOf(" "), numberOf("many")]).toEqual([12, null, "many"]);
  });
});
