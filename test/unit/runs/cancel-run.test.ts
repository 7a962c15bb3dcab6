import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { Run } from "../../../shared/contract/run/run.ts";
import { setUpRuns } from "./run-service.ts";

const run = async (response: Response) => Run.parse(await response.json());

async function refusal(response: Response): Promise<readonly [number, string | null, string]> {
  const { error_code, message } = ErrorBody.parse(await response.json());
  return [response.status, error_code, message];
}

describe("POST /v1/runs/{run_id}/cancel", () => {
  it.each([
    ["scheduling", "worker", null],
    ["running", "worker", randomUUID()],
    ["running", "service", randomUUID()],
  ] as const)(
    "ends a run that is %s, left to the %s, and keeps the reason",
    async (status, executor, assignment) => {
      const { ask, putRun } = await setUpRuns();
      const { id } = await putRun({ status, executor, assignmentId: assignment, error: ["was said before"] });
      const cancelled = await run(await ask("POST", `/v1/runs/${id}/cancel`, { reason: "paid meanwhile" }));
      expect(cancelled).toMatchObject({
        status: "cancelled",
        error: ["was said before", "paid meanwhile"],
        error_code: null,
        ended_at: expect.any(String),
      });
      expect(await run(await ask("GET", `/v1/runs/${id}`))).toMatchObject({ status: "cancelled" });
    },
  );

  it("says that a request did it where no reason was given, and takes no body at all", async () => {
    const { ask, putRun } = await setUpRuns();
    for (const body of [undefined, {}]) {
      const { id } = await putRun({ status: "running", assignmentId: randomUUID() });
      const cancelled = await run(await ask("POST", `/v1/runs/${id}/cancel`, body));
      expect(cancelled).toMatchObject({ status: "cancelled", error: ["cancelled by a request"] });
    }
  });

  it.each(["success", "error", "task_failed", "cancelled"] as const)(
    "leaves a run that ended as %s unchanged",
    async (status) => {
      const { ask, putRun } = await setUpRuns();
      const { id } = await putRun({ status, error: ["as it was"] });
      const before = await run(await ask("GET", `/v1/runs/${id}`));
      const response = await ask("POST", `/v1/runs/${id}/cancel`, { reason: "late" });
      expect(response.status).toBe(200);
      expect(await run(response)).toEqual(before);
    },
  );

  it("does not cancel again, under the same key, what was retried meanwhile", async () => {
    const { ask, putRun, workflow } = await setUpRuns();
    for (const status of ["scheduling", "success"] as const) {
      const { id } = await putRun({ status, workflowId: workflow.id });
      const headers = { "idempotency-key": randomUUID() };
      const first = await run(await ask("POST", `/v1/runs/${id}/cancel`, {}, headers));
      expect((await ask("POST", `/v1/runs/${id}/retry`, {})).status).toBe(200);
      const again = await ask("POST", `/v1/runs/${id}/cancel`, {}, headers);
      expect(again.headers.get("idempotency-status")).toBe("replayed");
      expect(await run(again)).toEqual(first);
      expect(await run(await ask("GET", `/v1/runs/${id}`))).toMatchObject({ status: "scheduling" });
    }
  });

  it("is 404 for a run that is not there", async () => {
    const { ask } = await setUpRuns();
    expect(await refusal(await ask("POST", `/v1/runs/${v7()}/cancel`, {}))).toEqual([
      ...[404, "not_found"],
      expect.stringContaining("there is no run"),
    ]);
  });
});

describe("PATCH of a running run without assignment_id", () => {
  it("cancels it for a key with `write`, with what else it says", async () => {
    const { ask, putRun } = await setUpRuns();
    for (const more of [{}, { error: ["paid meanwhile"] }, { output_data: { paid: true } }]) {
      const { id } = await putRun({ status: "running", assignmentId: randomUUID() });
      const response = await ask("PATCH", `/v1/runs/${id}`, { status: "cancelled", ...more });
      expect(await run(response)).toMatchObject({ status: "cancelled", ...more });
    }
  });

  it("is refused where it names another attempt, is a worker's, or ends otherwise, with where the id is found", async () => {
    const user = await setUpRuns();
    const worker = await setUpRuns({ scopes: ["read", "worker"] });
    for (const [{ ask, putRun }, body] of [
      [user, { status: "cancelled", assignment_id: randomUUID() }],
      [user, { status: "error" }],
      [user, { error: ["late"] }],
      [worker, { status: "cancelled" }],
    ] as const) {
      const { id } = await putRun({ status: "running", assignmentId: randomUUID() });
      const [status, code, message] = await refusal(await ask("PATCH", `/v1/runs/${id}`, body));
      expect([status, code]).toEqual([409, "assignment_mismatch"]);
      expect(message).toContain(`GET /v1/runs/${id} shows`);
    }
  });

  it("says of a worker's key that it changes running runs only", async () => {
    const { ask, putRun } = await setUpRuns({ scopes: ["read", "worker"] });
    const { id } = await putRun({ status: "success" });
    const body = { error: ["late"], assignment_id: randomUUID() };
    const [, , message] = await refusal(await ask("PATCH", `/v1/runs/${id}`, body));
    expect(message).toContain("only while it is running; this one is success");
  });
});
