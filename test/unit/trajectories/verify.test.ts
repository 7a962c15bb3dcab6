import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { VerificationCreated } from "../../../shared/contract/trajectory/verify-trajectory.ts";
import type { Executor } from "../../../shared/vocabulary/workflows.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

async function setUp(executor: Executor = "service") {
  const service = await createTestService();
  const { organizationId, stores } = service;
  const app = createRunsApp(service.deps);
  const workflow = await stores.put.workflow({ organizationId, executor });
  const trajectory = await stores.put.trajectory({
    organizationId,
    workflowId: workflow.id,
    originalInputValues: { name: "Ada", day: 1 },
  });
  const ask = asking(app, service.authorize());
  const verify = (body?: unknown, headers: Record<string, string> = {}, id = trajectory.id) =>
    ask("POST", `/v1/trajectories/${id}/verify`, body, headers);
  return { ...service, workflow, trajectory, verify };
}

describe("POST /v1/trajectories/{trajectory_id}/verify", () => {
  it("makes a run that replays it with the recording's inputs, and those given instead, and says what it does", async () => {
    const { verify, putMachine, workflow, trajectory, stores, organizationId } = await setUp();
    const machine = await putMachine();
    const answer = await verify({
      machine_id: machine.id,
      input_values: { day: 2 },
      sensitive_input_values: { pin: "1234" },
      dry_run_until: 3,
    });
    expect(answer.status).toBe(201);
    const { run, warning } = VerificationCreated.parse(answer.json);
    expect(run).toMatchObject({
      workflow_id: workflow.id,
      trajectory_id: trajectory.id,
      dry_run_until: 3,
      status: "scheduling",
      executor: "service",
      input_values: { name: "Ada", day: 2 },
      sensitive_input_aliases: { pin: "pin" },
    });
    expect(warning).toContain("again");
    expect(await stores.runs.find(organizationId, run.id)).toMatchObject({
      trajectoryId: trajectory.id,
      dryRunUntil: 3,
      namedMachineId: machine.id,
    });
  });

  it("takes an empty body, and makes one run under one Idempotency-Key", async () => {
    const { verify } = await setUp();
    const first = await verify(undefined, { "idempotency-key": "verify" });
    expect(VerificationCreated.parse(first.json).run).toMatchObject({ dry_run_until: null });
    expect((await verify(undefined, { "idempotency-key": "verify" })).json).toEqual(first.json);
  });

  it("says of which inputs it shows nothing", async () => {
    const { verify } = await setUp();
    const warningsOf = async (inputs: object) =>
      VerificationCreated.parse((await verify({ input_values: inputs })).json).warnings;
    expect(await warningsOf({ day: 2 })).toEqual([
      expect.stringContaining("no element names the input {name} of the recording"),
      expect.stringContaining("no element names the input {day}, and it has another value"),
    ]);
  });

  it("refuses other inputs for a recording that types what stood on its screen", async () => {
    const { verify, stores, organizationId, workflow } = await setUp();
    const element = { action: { type: "type", text: "4711 of {name}" }, is_from_screen: true };
    const { id } = await stores.put.trajectory({
      organizationId,
      workflowId: workflow.id,
      originalInputValues: { name: "Ada" },
      data: { kind: "inline", value: [element] },
    });
    const refused = await verify({ input_values: { name: "Bo" } }, {}, id);
    expect(refused.status).toBe(422);
    const [problem] = ValidationErrorBody.parse(refused.json).detail;
    expect(problem?.loc).toEqual(["body", "input_values"]);
    expect(problem?.msg).toContain('element 1 types "4711 of"');
    expect((await verify({}, {}, id)).status).toBe(201);
  });

  it("answers 409 where a worker carries out the runs, and 404 where there is no trajectory", async () => {
    const { verify } = await setUp("worker");
    const refused = await verify();
    expect([refused.status, ErrorBody.parse(refused.json).error_code]).toEqual([409, "conflict"]);
    expect((await verify({}, {}, randomUUID())).status).toBe(404);
  });

  it.each([
    [{ dry_run_until: -1 }, ["dry_run_until"]],
    [{ machine_id: randomUUID(), pool_ids: [randomUUID()] }, ["pool_ids"]],
    [{ workflow_id: randomUUID() }, ["workflow_id"]],
  ])("says what is wrong with body %#", async (body, at) => {
    const { verify } = await setUp();
    const answer = await verify(body);
    expect(answer.status).toBe(422);
    expect(ValidationErrorBody.parse(answer.json).detail[0]?.loc).toEqual(["body", ...at]);
  });
});
