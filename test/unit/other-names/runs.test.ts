import { expect, it } from "vitest";
import { ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { CreatedChain } from "../../../shared/contract/run/chain.ts";
import { RunList } from "../../../shared/contract/run/run.ts";
import { setUpRuns } from "../runs/run-service.ts";

it("puts every run of a chain before those without priority", async () => {
  const { ask, workflow } = await setUpRuns();
  const steps = [{ workflow_id: workflow.id }, { workflow_id: workflow.id }];
  for (const is_priority of [true, false]) {
    const made = await ask("POST", "/v1/runs/chain", { steps, is_priority });
    const { session_id } = CreatedChain.parse(await made.json());
    const { items } = RunList.parse(await (await ask("GET", `/v1/runs?session_id=${session_id}`)).json());
    expect(items.map((run) => run.is_priority)).toEqual([is_priority, is_priority]);
  }
});

it("sorts by activity and created_at_desc as by active_first and newest", async () => {
  const { ask, putRun } = await setUpRuns();
  await putRun({ status: "scheduling", createdAt: "2026-01-01T00:00:00.000Z" });
  await putRun({ status: "success", createdAt: "2026-01-02T00:00:00.000Z" });
  const statuses = async (mode: string) =>
    RunList.parse(await (await ask("GET", `/v1/runs?sort_mode=${mode}`)).json()).items.map(
      ({ status }) => status,
    );
  expect(await statuses("activity")).toEqual(["scheduling", "success"]);
  expect(await statuses("active_first")).toEqual(["scheduling", "success"]);
  expect(await statuses("created_at_desc")).toEqual(["success", "scheduling"]);
  const wrong = await ask("GET", "/v1/runs?sort_mode=oldest");
  expect(ValidationErrorBody.parse(await wrong.json()).detail).toMatchObject([
    { loc: ["query", "sort_mode"], type: "enum" },
  ]);
});
