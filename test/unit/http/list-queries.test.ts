import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { OperationId } from "../../../shared/client/call-types.ts";
import { ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { RunList } from "../../../shared/contract/run/run.ts";
import { setUpRuns } from "../runs/run-service.ts";

const id = v7();
const others = Array.from({ length: 20 }, () => v7());

async function setUp() {
  const { ask, ...service } = await setUpRuns();
  const problems = async (query: string) => {
    const response = await ask("GET", `/v1/runs?${query}`);
    if (response.status === 200) return [];
    const { detail } = ValidationErrorBody.parse(await response.json());
    return detail.map(({ loc, type, input }) => [loc.join("."), type, input]);
  };
  const list = async (query: string) => RunList.parse(await (await ask("GET", `/v1/runs?${query}`)).json());
  return { ...service, problems, list };
}

describe("a filter of several values", () => {
  it("takes them by commas or repeated, each once, and as many as twenty", async () => {
    const { problems, list, putRun, workflow } = await setUp();
    const runs = [await putRun({ workflowId: workflow.id }), await putRun()];
    const found = async (query: string) => (await list(query)).items.map(({ id: runId }) => runId).sort();
    const both = runs.map((run) => run.id).sort();
    const [one, other] = runs.map(({ workflowId }) => workflowId);
    expect(await found(`workflow_id=${one}`)).toEqual([runs[0]?.id]);
    expect(await found(`workflow_id=${one},${other},${id}`)).toEqual(both);
    expect(await found(`workflow_id=${one}&workflow_id=${other},${id}`)).toEqual(both);
    const sameInTwoCases = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? id : id.toUpperCase()));
    expect(await problems(`machine_id=${sameInTwoCases}`)).toEqual([]);
    expect(await problems(`machine_id=${others}`)).toEqual([]);
    expect(await problems(`machine_id=${[...others, id]}`)).toEqual([
      ["query.machine_id", "too_long", undefined],
    ]);
  });

  it("names the value that it refuses: alone by the parameter, else by its place", async () => {
    const { problems } = await setUp();
    expect(await problems("status=done")).toEqual([["query.status", "enum", "done"]]);
    expect(await problems("status=")).toEqual([["query.status", "enum", ""]]);
    expect(await problems("status=error,done,success,")).toEqual([
      ["query.status.1", "enum", "done"],
      ["query.status.3", "enum", ""],
    ]);
    expect(await problems(`session_id=${id},7`)).toEqual([["query.session_id.1", "uuid_parsing", "7"]]);
  });

  const ids = `${id},${others[0]}`;
  const filters: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> = {
    listRuns: { workflow_id: ids, machine_id: ids, session_id: ids, status: "error,success" },
    listMachines: { status: "error,connected" },
    listTrajectories: { workflow_id: ids, run_id: ids },
    listConnections: { machine_id: ids, status: "pending,connected" },
    listRunAttachments: { run_id: ids, attachment_type: "input,output" },
    listRequestLogs: { machine_id: ids, method: "GET,POST", status_code: "500,404" },
    listAuditEvents: {
      actor: ids,
      operation: "createRun,updateRun",
      resource_type: "run,pool",
      resource_id: ids,
    },
  };

  it.each(Object.entries(filters))("is taken by %s", (operationId, query) => {
    const operation = (allOperations as readonly Operation[]).find((each) => each.id === operationId);
    const two = Object.keys(query).map((name) => [name, { length: 2 }]);
    expect(operation?.query?.parse(query)).toMatchObject(Object.fromEntries(two));
  });
});

describe("a page after an item", () => {
  it("is refused beside a skip, with active runs first, and behind what was never there", async () => {
    const { problems } = await setUp();
    const refused = [["query.after", "value_error", undefined]];
    expect(await problems(`after=${id}&skip=1`)).toEqual(refused);
    expect(await problems(`after=${id}&sort_mode=active_first`)).toEqual(refused);
    const unknown = randomUUID();
    expect(await problems(`after=${unknown}`)).toEqual([["query.after", "value_error", unknown]]);
    expect(await problems("after=7")).toEqual([["query.after", "uuid_parsing", "7"]]);
    expect(await problems(`after=${id}&skip=0&sort_mode=newest`)).toEqual([]);
  });

  it.each(["", "&status=scheduling,cancelled", "&search=needle", "&search=needle&deep_search=true"])(
    "has what follows that item, and the total of the list: %s",
    async (filter) => {
      const { list, putRun } = await setUp();
      const inOrder: string[] = [];
      for (let second = 0; second < 5; second += 1) {
        const createdAt = `2026-01-15T12:00:0${second}.000Z`;
        const status = second === 3 ? "cancelled" : "scheduling";
        inOrder.unshift((await putRun({ createdAt, status, inputValues: { word: "needle" } })).id);
      }
      const page = await list(`limit=2&after=${inOrder[1]}${filter}`);
      expect(page).toMatchObject({ items: [{ id: inOrder[2] }, { id: inOrder[3] }], total: 5, skip: 0 });
      expect((await list(`after=${inOrder[4]}${filter}`)).items).toEqual([]);
    },
  );
});
