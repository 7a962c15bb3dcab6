import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ask, createOrganization, keyOf } from "../support/stack/stack-client.ts";

interface Tag {
  readonly id: string;
  readonly group_id: string | null;
  readonly workflow_count: number;
}

let key: string;

beforeAll(async () => {
  key = keyOf(await createOrganization(), "full");
});

const newTag = async (fields: Readonly<Record<string, unknown>> = {}) =>
  (await ask<Tag>("/v1/workflow-tags", { key, body: { name: randomUUID(), ...fields } })).body;
const newGroup = async () =>
  String((await ask("/v1/workflow-tag-groups", { key, body: { name: randomUUID() } })).body.id);
const newWorkflow = async () =>
  String((await ask("/v1/workflows", { key, body: { main_prompt: "made" } })).body.id);
const tagsOf = async (workflowId: string) =>
  (await ask<Tag[]>(`/v1/workflows/${workflowId}/tags`, { key })).body;
const give = (workflowId: string, ...tags: readonly Tag[]) =>
  ask(`/v1/workflows/${workflowId}/tags`, { key, body: { tag_ids: tags.map(({ id }) => id) } });

describe("a group of tags", () => {
  it("never has two tags on one workflow, whatever comes at once", async () => {
    const groupId = await newGroup();
    const inside = await Promise.all([1, 2].map(() => newTag({ group_id: groupId })));
    const outside = await Promise.all([1, 2].map(() => newTag()));
    const workflows = await Promise.all([1, 2, 3].map(newWorkflow));
    const answers = await Promise.all([
      ...workflows.flatMap((workflowId) => [...inside, ...outside].map((tag) => give(workflowId, tag))),
      ...outside.map(({ id }) =>
        ask(`/v1/workflow-tags/${id}`, { key, method: "PATCH", body: { group_id: groupId } }),
      ),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
      [],
    );
    const counted = new Map<string, number>();
    for (const workflowId of workflows) {
      const tags = await tagsOf(workflowId);
      expect(tags.filter((tag) => tag.group_id === groupId).length).toBeLessThanOrEqual(1);
      for (const { id } of tags) counted.set(id, (counted.get(id) ?? 0) + 1);
    }
    const { body } = await ask<Tag[]>("/v1/workflow-tags", { key });
    for (const { id, workflow_count } of body) expect(workflow_count).toBe(counted.get(id) ?? 0);
  });
});
