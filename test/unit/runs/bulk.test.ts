import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { CreatedRuns, RunList } from "../../../shared/contract/run/run.ts";
import type { CreateRunsOutcome, NewRuns } from "../../../shared/domain/run/run-store.ts";
import { secretRows, setUpRuns } from "./run-service.ts";

const setUp = async () => {
  const service = await setUpRuns();
  const { ask, stores, workflow, organizationId } = service;
  return {
    ...service,
    bulk: (fields: object = {}, headers: Record<string, string> = {}) =>
      ask("POST", "/v1/runs/bulk", { workflow_id: workflow.id, ...fields }, headers),
    total: async () => RunList.parse(await (await ask("GET", "/v1/runs?limit=1000")).json()).total,
    stored: async (id: string) => {
      const run = await stores.runs.find(organizationId, id);
      if (run === undefined) throw new Error("it is there");
      return run;
    },
    /** Each part comes to `before` first, which may fail it. */
    beforeParts: (before: (news: NewRuns, count: number) => CreateRunsOutcome | undefined) => {
      const create = stores.runs.create.bind(stores.runs);
      let count = 0;
      stores.runs.create = async (news, answer) => {
        count += 1;
        return before(news, count) ?? (await create(news, answer));
      };
    },
  };
};

const made = async (response: Response) => {
  expect(response.status).toBe(201);
  return CreatedRuns.parse(await response.json());
};
const code = async (response: Response) => [
  response.status,
  ErrorBody.parse(await response.json()).error_code,
];
const problems = async (response: Response) => {
  expect(response.status).toBe(422);
  const { detail } = ValidationErrorBody.parse(await response.json());
  return detail.map(({ loc, type }) => [loc.join("."), type]);
};
const keyed = () => ({ "idempotency-key": randomUUID() });

describe("POST /v1/runs/bulk", () => {
  it.each([1, 44, 1_000])("makes %i runs alike, each with an id of its own, in order", async (count) => {
    const { bulk, ask, total, workflow } = await setUp();
    const answer = await made(await bulk({ count, input_values: { a: 1 } }));
    expect([answer.created_runs.length, answer.failed_count, answer.errors]).toEqual([count, 0, []]);
    const ids = answer.created_runs.map(({ id }) => id);
    expect(new Set(ids).size).toBe(count);
    expect(await total()).toBe(count);
    expect(answer.created_runs[0]).toMatchObject({ workflow_id: workflow.id, status: "scheduling" });
    expect(answer.created_runs[0]).not.toHaveProperty("input_values");
    const last = await (await ask("GET", `/v1/runs/${ids.at(-1)}`)).json();
    const { omitted_fields, waiting_reason, queue_position, ...shown } = answer.created_runs.at(-1) ?? {};
    expect(last).toMatchObject({ ...shown, input_values: { a: 1 } });
    expect([waiting_reason, queue_position]).toEqual([null, null]);
    expect(omitted_fields).toEqual([
      ...["input_values", "sensitive_input_aliases", "main_prompt", "model_metadata"],
      ...["model_configuration_id", "fallback_model_configuration_ids", "main_agent_model_id"],
      ...["fallback_model_1_id", "fallback_model_2_id", "waiting_reason", "queue_position"],
    ]);
  });

  it("takes 1 to 1,000, and no session_alias", async () => {
    const { bulk } = await setUp();
    expect(await problems(await bulk())).toEqual([["body.count", "missing"]]);
    expect(await problems(await bulk({ count: 0 }))).toEqual([["body.count", "greater_than_equal"]]);
    expect(await problems(await bulk({ count: 1_001 }))).toEqual([["body.count", "less_than_equal"]]);
    expect(await problems(await bulk({ count: 1.5 }))).toEqual([["body.count", "int_from_float"]]);
    expect(await problems(await bulk({ count: 1, session_alias: "a" }))).toEqual([
      ["body.session_alias", "extra_forbidden"],
    ]);
  });

  it("shares one secret among its runs, and gives each files of its own", async () => {
    const { bulk, ask, stores, organizationId, stored } = await setUp();
    const fields = {
      sensitive_input_values: { pin: "hunter2" },
      file_inputs: [
        { filename: "a", content: "YQ==" },
        { filename: "b", content: "Yg==" },
      ],
    };
    const { created_runs } = await made(await bulk({ ...fields, count: 40 }));
    const attachmentIds = created_runs.flatMap(({ input_attachment_ids = [] }) => input_attachment_ids);
    expect(new Set(attachmentIds).size).toBe(80);
    expect(stores.files.keys()).toHaveLength(80);
    const [first, last] = [created_runs[0]?.id ?? "", created_runs.at(-1)?.id ?? ""];
    expect((await stored(first)).secretId).toBe((await stored(last)).secretId);
    expect(await stores.runs.readSecret(await stored(last))).toEqual({ pin: "hunter2" });
    expect(await stores.runs.listAttachmentIds(organizationId, last)).toHaveLength(2);
    const second = await ask("GET", `/v1/run-attachments/${attachmentIds.at(-1)}/download`);
    expect(await second.text()).toBe("b");
  });

  it("takes files up to 1,000 in all and 100 MB in all", async () => {
    const { bulk } = await setUp();
    const files = (count: number, size: number) =>
      Array.from({ length: count }, () => ({
        filename: "a",
        content: Buffer.alloc(size).toString("base64"),
      }));
    const refused = [["body.file_inputs", "value_error"]];
    expect(await problems(await bulk({ count: 501, file_inputs: files(2, 0) }))).toEqual(refused);
    expect(await problems(await bulk({ count: 1_000, file_inputs: files(1, 104_858) }))).toEqual(refused);
    expect((await bulk({ count: 50, file_inputs: files(20, 1) })).status).toBe(201);
  });

  it("begins one session for all, and releases it with the last", async () => {
    const { bulk, stored } = await setUp();
    const session = { start_session: true, release_session_after: true };
    const { created_runs } = await made(await bulk({ ...session, count: 100 }));
    const [first, last] = [created_runs[0], created_runs.at(-1)];
    expect(new Set(created_runs.map(({ session_id }) => session_id)).size).toBe(1);
    expect(first?.session_id).toEqual(expect.any(String));
    expect(created_runs.filter((run) => run.release_session_after)).toEqual([last]);
    expect((await stored(last?.id ?? "")).releaseSessionAfter).toBe(true);
    const joined = await made(await bulk({ session_id: first?.session_id, count: 2 }));
    expect(joined.created_runs.map(({ session_id }) => session_id)).toEqual([
      ...[first?.session_id, first?.session_id],
    ]);
  });

  it("answers as for one run when nothing can be made, and leaves nothing behind", async () => {
    const { bulk, stores, total } = await setUp();
    const brings = {
      sensitive_input_values: { pin: "1" },
      file_inputs: [{ filename: "a", content: "YQ==" }],
    };
    for (const fields of [
      { workflow_id: v7() },
      { machine_id: v7() },
      { pool_ids: [v7()] },
      { session_id: v7() },
    ]) {
      for (const headers of [{}, keyed()]) {
        expect(await code(await bulk({ ...brings, ...fields, count: 100 }, headers))).toEqual([
          404,
          "not_found",
        ]);
      }
    }
    expect([secretRows(stores), stores.files.keys(), await total()]).toEqual([[], [], 0]);
  });

  it("keeps what was made before a part is refused, and tells how many are missing and why", async () => {
    const { bulk, beforeParts, total, workflow, stores } = await setUp();
    beforeParts((_news, count) =>
      count === 3 ? { kind: "missing", what: "workflow", id: workflow.id } : undefined,
    );
    const headers = keyed();
    const fields = { count: 200, sensitive_input_values: { pin: "1" } };
    const answer = await made(await bulk(fields, headers));
    expect(answer.created_runs.length + answer.failed_count).toBe(200);
    expect(answer.created_runs).toHaveLength(await total());
    expect(answer.errors).toEqual([`there is no workflow ${workflow.id}`]);
    expect(secretRows(stores)).toMatchObject([{ uses: answer.created_runs.length }]);
    const again = await bulk(fields, headers);
    expect(again.headers.get("idempotency-status")).toBe("replayed");
    expect(await made(again)).toEqual(answer);
  });

  it("goes on under its key after a failure between two parts, and makes each run once", async () => {
    for (const failing of [1, 2, 3]) {
      const { bulk, beforeParts, total, stores } = await setUp();
      let isAway = true;
      beforeParts((_news, count) => {
        if (count >= failing && isAway) throw new Error("the function ended here");
        return undefined;
      });
      const headers = keyed();
      const fields = {
        count: 120,
        sensitive_input_values: { pin: "1" },
        start_session: true,
        file_inputs: [{ filename: "a", content: "YQ==" }],
      };
      expect((await bulk(fields, headers)).status).toBe(500);
      isAway = false;
      stores.clock.advance(60_000);
      const answer = await made(await bulk(fields, headers));
      expect([answer.created_runs.length, answer.failed_count]).toEqual([120, 0]);
      expect(await total()).toBe(120);
      expect(secretRows(stores)).toMatchObject([{ uses: 120 }]);
      expect(stores.files.keys()).toHaveLength(120);
      expect(new Set(answer.created_runs.map(({ created_at }) => created_at)).size).toBe(1);
      const again = await bulk(fields, headers);
      expect(await made(again)).toEqual(answer);
      expect(again.headers.get("idempotency-status")).toBe("replayed");
    }
  });

  it("makes each run once when a part was made but its answer lost", async () => {
    const { bulk, stores, total } = await setUp();
    const create = stores.runs.create.bind(stores.runs);
    let calls = 0;
    stores.runs.create = async (news, answer) => {
      const outcome = await create(news, answer);
      calls += 1;
      if (calls === 2) throw new Error("the answer is lost");
      return outcome;
    };
    const headers = keyed();
    expect((await bulk({ count: 150 }, headers)).status).toBe(500);
    expect((await made(await bulk({ count: 150 }, headers))).created_runs).toHaveLength(150);
    expect(await total()).toBe(150);
  });

  it("stops in time: told without a key, gone on with under one", async () => {
    const { bulk, stores, total } = await setUp();
    const create = stores.runs.create.bind(stores.runs);
    stores.runs.create = async (news, recorded) => {
      const outcome = await create(news, recorded);
      if (outcome.kind === "created") stores.clock.advance(15_000);
      return outcome;
    };
    const answer = await made(await bulk({ count: 200 }));
    expect(answer.failed_count).toBe(200 - answer.created_runs.length);
    expect(answer.errors).toEqual([
      `the time was over when ${answer.created_runs.length} of 200 runs were made`,
    ]);
    const before = await total();
    const headers = keyed();
    const statuses: number[] = [];
    for (let tries = 0; tries < 5 && statuses.at(-1) !== 201; tries += 1) {
      const response = await bulk({ count: 200 }, headers);
      statuses.push(response.status);
      if (response.status === 409) expect(response.headers.get("retry-after")).toBe("1");
    }
    expect(statuses).toEqual([409, 409, 201]);
    expect((await total()) - before).toBe(200);
  });
});
