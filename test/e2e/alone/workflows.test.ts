import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { WorkflowList } from "../../../shared/contract/workflow.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { ask, createOrganization, keyOf } from "../../support/stack/stack-client.ts";

let key: string;

beforeAll(async () => {
  key = keyOf(await createOrganization(), "full");
});

const newWorkflow = async (fields: Readonly<Record<string, unknown>> = {}) =>
  String((await ask("/v1/workflows", { key, body: { main_prompt: "made", ...fields } })).body.id);

describe("a workflow", () => {
  it("keeps the longest prompt there is, and the one before it", async () => {
    const [first, second] = ["漢".repeat(100_000), "字".repeat(100_000)];
    const made = await ask("/v1/workflows", { key, body: { main_prompt: first } });
    expect(made.status).toBe(201);
    const path = `/v1/workflows/${String(made.body.id)}`;
    const headers = { "idempotency-key": randomUUID() };
    const request = { key, method: "PATCH", body: { main_prompt: second }, headers };
    const changed = await ask(path, request);
    expect([changed.status, changed.body.main_prompt === second]).toEqual([200, true]);
    const again = await ask(path, request);
    expect(again.headers.get("idempotency-status")).toBe("replayed");
    expect(again.body).toEqual(changed.body);
    const versions = await ask<{ main_prompt: string }[]>(`${path}/versions`, { key });
    expect(versions.body.map(({ main_prompt }) => main_prompt === first)).toEqual([true]);
  });

  it("is read with one call, changed with one, and listed with three", async () => {
    const id = await newWorkflow();
    await ask(`/v1/workflows/${id}`, { key });
    const costs = async (path: string, request = {}) => {
      const { counts } = await callsDuring(() => ask(path, { key, ...request }));
      return counts.workflows;
    };
    expect(await costs(`/v1/workflows/${id}`)).toEqual({ "dynamodb GetItem": 1 });
    expect(await costs(`/v1/workflows/${id}`, { method: "PATCH", body: { name: "new" } })).toEqual({
      "dynamodb UpdateItem": 1,
    });
    expect(await costs("/v1/workflows")).toEqual({ "dynamodb Query": 2, "dynamodb BatchGetItem": 1 });
  });

  it("that is deleted is off the count of its tags, once the stream has been read", async () => {
    const id = await newWorkflow();
    const tag = await ask("/v1/workflow-tags", { key, body: { name: randomUUID() } });
    const tagPath = `/v1/workflow-tags/${String(tag.body.id)}`;
    await ask(`/v1/workflows/${id}/tags`, { key, body: { tag_ids: [tag.body.id] } });
    expect((await ask(tagPath, { key })).body.workflow_count).toBe(1);
    await ask(`/v1/workflows/${id}`, { key, method: "DELETE" });
    await expect
      .poll(async () => (await ask(tagPath, { key })).body.workflow_count, { timeout: 20_000 })
      .toBe(0);
  });

  it("is found by its tags, its text and its moments", async () => {
    const marker = randomUUID();
    const id = await newWorkflow({ main_prompt: `with ${marker.toUpperCase()} in it` });
    const tag = await ask("/v1/workflow-tags", { key, body: { name: randomUUID() } });
    await ask(`/v1/workflows/${id}/tags`, { key, body: { tag_ids: [tag.body.id] } });
    const from = new Date(Date.now() - 60_000).toISOString();
    await pause(5);
    for (const query of [
      `search=${marker}`,
      `tag_ids=${String(tag.body.id)}&include_tags=true`,
      `search=${marker}&created_at_from=${from}&updated_at_from=${from}`,
    ]) {
      const { body } = await ask(`/v1/workflows?${query}`, { key });
      const { items, total } = WorkflowList.parse(body);
      expect([items.map((item) => item.id), total], query).toEqual([[id], 1]);
    }
  });
});
