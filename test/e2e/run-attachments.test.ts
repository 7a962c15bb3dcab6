import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { CreatedAttachment } from "../../shared/contract/run/run-attachment.ts";
import { ask, createOrganization, keyOf } from "../support/stack/stack-client.ts";

let key: string;
let runId: string;

beforeAll(async () => {
  key = keyOf(await createOrganization(), "full");
  const workflow = await ask("/v1/workflows", {
    key,
    body: { main_prompt: "Open the shop.", executor: "worker" },
  });
  const run = await ask("/v1/runs", { key, body: { workflow_id: workflow.body.id } });
  runId = String(run.body.id);
});

async function attach(fields: object): Promise<CreatedAttachment> {
  const body = { run_id: runId, attachment_type: "output", filename: "ä.txt", ...fields };
  const answer = await ask("/v1/run-attachments", { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return CreatedAttachment.parse(answer.body);
}

describe("run attachments", () => {
  it("give back the content they were made with, as a file to be saved", async () => {
    const { id, size_bytes: size } = await attach({ content: "YWJj", content_type: "text/html" });
    expect(size).toBe(3);
    const file = await ask(`/v1/run-attachments/${id}/download`, { key });
    expect([file.status, new TextDecoder().decode(file.bytes)]).toEqual([200, "abc"]);
    expect(file.headers.get("content-type")).toBe("text/html");
    expect(file.headers.get("content-disposition")).toContain("filename*=UTF-8''%C3%A4.txt");
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("become the run's when they are inputs", async () => {
    const { id } = await attach({ attachment_type: "input", content: "YWJj", target_path: "~/in/" });
    expect((await ask(`/v1/runs/${runId}`, { key })).body.input_attachment_ids).toEqual([id]);
  });

  it("of a run that is not there are on no record", async () => {
    const body = { run_id: randomUUID(), attachment_type: "output", filename: "a.txt", content: "YWJj" };
    const request = { key, body, headers: { "idempotency-key": "nowhere" } };
    for (const _time of [1, 2]) expect((await ask("/v1/run-attachments", request)).status).toBe(404);
  });

  it("take an upload of the size that was said and no other, and lead to large ones", async () => {
    const size = 4_194_305;
    const { id, upload } = await attach({ size_bytes: size });
    const path = `/v1/run-attachments/${id}`;
    expect((await ask(`${path}/download`, { key })).status).toBe(404);
    if (!upload) throw new Error("it has an upload");
    const put = (bytes: number) =>
      fetch(upload.url, {
        method: "PUT",
        headers: { ...upload.headers, "content-length": String(bytes) },
        body: new Uint8Array(bytes),
      }).then(({ status }) => status);
    expect(await put(3)).toBe(403);
    expect(await put(size)).toBe(200);
    expect(await put(size)).toBe(412);
    const elsewhere = await ask(`${path}/download`, { key });
    expect(elsewhere.status).toBe(307);
    const file = await fetch(elsewhere.headers.get("location") ?? "");
    expect((await file.arrayBuffer()).byteLength).toBe(size);
  });
});
