import { describe, expect, it } from "vitest";
import { settingGroups } from "../../../../functions/console/page/workflows/edit/settings-fields.ts";
import {
  bodyOf,
  changedMeanwhile,
  type EditedWorkflow,
  withChange,
} from "../../../../functions/console/page/workflows/edit/workflow-draft.ts";
import { UpdateWorkflowBody, Workflow } from "../../../../shared/contract/workflow.ts";

const fields = settingGroups.flatMap((group) => group.fields);
const named = (name: string) => fields.find(({ field }) => field === name);

/** Fields that a PATCH takes under the name that the workflow shows them by. */
const patched = Object.keys(Workflow.shape).filter(
  (name) =>
    UpdateWorkflowBody.safeParse({ [name]: null }).error?.issues.some(
      ({ code }) => code === "unrecognized_keys",
    ) !== true,
);
const otherNames = ["main_agent_model_id", "fallback_model_1_id", "fallback_model_2_id"];

describe("the form of a workflow", () => {
  it("edits each field that a PATCH takes", () => {
    const all = (value: number) =>
      Object.fromEntries(patched.map((name) => [name, value])) as unknown as EditedWorkflow;
    const edited = changedMeanwhile(all(0), all(1), {}).map(({ field }) => field);
    expect(edited.toSorted()).toEqual(patched.filter((name) => !otherNames.includes(name)).toSorted());
  });

  it("lets a model ask a person, and says what becomes of a hold that nobody ends", () => {
    expect(named("may_ask")).toMatchObject({
      kind: "boolean",
      label: expect.stringContaining("ask a person"),
    });
    expect(named("on_hold_timeout")?.choices?.map(([value]) => value)).toEqual(["fail", "resume"]);
    const saved = { may_ask: false, on_hold_timeout: "fail" } as unknown as EditedWorkflow;
    const body = bodyOf(saved, withChange(saved, {}, { may_ask: true, on_hold_timeout: "resume" }));
    expect(UpdateWorkflowBody.parse(body)).toEqual({ may_ask: true, on_hold_timeout: "resume" });
  });
});
