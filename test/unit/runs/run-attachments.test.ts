import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import {
  AttachmentList,
  CreatedAttachment,
  DownloadUrl,
} from "../../../shared/contract/run/run-attachment.ts";
import { setUpRuns } from "./run-service.ts";

const problems = async (response: Response) => {
  expect(response.status).toBe(422);
  return ValidationErrorBody.parse(await response.json()).detail.map(({ loc, type }) => [
    loc.join("."),
    type,
  ]);
};

async function setUp() {
  const service = await setUpRuns();
  const run_id = (await service.putRun()).id;
  const attach = (fields: object = {}, headers: Record<string, string> = {}) => {
    const body = { run_id, attachment_type: "output", filename: "a.txt", ...fields };
    return service.ask("POST", "/v1/run-attachments", body, headers);
  };
  const created = async (fields: object = {}) => CreatedAttachment.parse(await (await attach(fields)).json());
  return { ...service, run_id, attach, created };
}

describe("POST /v1/run-attachments", () => {
  it("keeps the content given, and offers an upload without it", async () => {
    const { created, stores } = await setUp();
    const inline = await created({ content: "YWJj" });
    expect(inline).toMatchObject({ size_bytes: 3, content_type: "application/octet-stream" });
    expect(inline).not.toHaveProperty("upload");
    expect(stores.files.keys()).toHaveLength(1);
    const upload = await created({ size_bytes: 7 });
    expect(upload).toMatchObject({
      size_bytes: 7,
      upload: { headers: { "content-length": "7", "if-none-match": "*" }, expires_in: 900 },
    });
  });

  it("adds an input to its run while that waits, and to none that the service carries out", async () => {
    const { created, attach, ask, run_id, putRun } = await setUp();
    const input = { attachment_type: "input", content: "YWJj" };
    const { id } = await created({ ...input, target_path: "~/in/", cleanup_imports_after_run: true });
    expect(await (await ask("GET", `/v1/run-attachments/${id}`)).json()).toMatchObject({
      target_path: "~/in/",
      cleanup_imports_after_run: true,
    });
    const run = (await (await ask("GET", `/v1/runs/${run_id}`)).json()) as { input_attachment_ids: string[] };
    expect(run.input_attachment_ids).toEqual([id]);
    const refused = async (fields: Parameters<typeof putRun>[0]) => {
      const response = await attach({ ...input, run_id: (await putRun(fields)).id });
      return [response.status, ErrorBody.parse(await response.json()).error_code];
    };
    expect(await refused({ status: "running", executor: "service" })).toEqual([409, "run_already_running"]);
    const inputAttachmentIds = Array.from({ length: 100 }, () => v7());
    expect(await refused({ inputAttachmentIds })).toEqual([409, "limit_reached"]);
  });

  it("takes no upload without its size", async () => {
    const { attach } = await setUp();
    expect(await problems(await attach())).toEqual([["body.size_bytes", "missing"]]);
  });

  it("lets an attachment expire after 90 days, at the time given, or never", async () => {
    const { created, stores } = await setUp();
    const inNinetyDays = new Date(stores.clock.now() + 90 * 24 * 3_600_000).toISOString();
    expect((await created({ size_bytes: 1 })).expires_at).toBe(inNinetyDays);
    const given = "2099-01-01T00:00:00.000Z";
    expect((await created({ size_bytes: 1, expires_at: given })).expires_at).toBe(given);
    expect((await created({ size_bytes: 1, expires_at: null })).expires_at).toBeNull();
  });

  it("answers 404 for a run that is not there, and keeps no file", async () => {
    const { attach, stores } = await setUp();
    const response = await attach({ run_id: v7(), content: "YWJj" });
    expect([response.status, ErrorBody.parse(await response.json()).error_code]).toEqual([404, "not_found"]);
    expect(stores.files.keys()).toEqual([]);
  });

  const bytes = (size: number) => Buffer.alloc(size).toString("base64");
  it.each([
    ["content", bytes(4_194_304), bytes(4_194_305), "value_error"],
    ["size_bytes", 104_857_600, 104_857_601, "less_than_equal"],
    ["filename", "x".repeat(255), "x".repeat(256), "string_too_long"],
    ["target_path", "x".repeat(1_024), "x".repeat(1_025), "string_too_long"],
    ["content_type", "text/plain; charset=utf-8", "text", "string_pattern_mismatch"],
  ])("takes %s up to its bound and no further", async (name, good, bad, type) => {
    const { attach } = await setUp();
    const upload = name === "content" ? {} : { size_bytes: 1 };
    expect((await attach({ ...upload, [name]: good })).status).toBe(201);
    expect(await problems(await attach({ ...upload, [name]: bad }))).toEqual([[`body.${name}`, type]]);
  });

  it("says the pattern that a field has", async () => {
    const { attach } = await setUp();
    const response = await attach({ size_bytes: 1, content_type: "text" });
    const [{ msg } = { msg: "" }] = ValidationErrorBody.parse(await response.json()).detail;
    expect(msg).toMatch(/^String should match pattern '\/\^.+\$\/'$/);
  });

  it("takes no size beside content", async () => {
    const { attach } = await setUp();
    expect(await problems(await attach({ content: "YWJj", size_bytes: 3 }))).toEqual([
      ["body.size_bytes", "value_error"],
    ]);
  });
});

describe("a run attachment", () => {
  it("is listed by run and type", async () => {
    const { created, ask, run_id, putRun } = await setUp();
    const one = await created({ size_bytes: 1 });
    await created({ attachment_type: "input", size_bytes: 1 });
    await created({ run_id: (await putRun()).id, size_bytes: 1 });
    const list = await ask("GET", `/v1/run-attachments?run_id=${run_id}&attachment_type=output`);
    expect(AttachmentList.parse(await list.json()).items.map(({ id }) => id)).toEqual([one.id]);
  });

  it("is answered as bytes up to 4 MB and by a link above", async () => {
    const { created, ask, stores, organizationId, run_id } = await setUp();
    const { id } = await created({ size_bytes: 1 });
    const path = `/v1/run-attachments/${id}/download`;
    expect((await ask("GET", path)).status).toBe(404);
    expect((await ask("GET", `${path}-url`)).status).toBe(404);
    const key = stores.files.attachmentKey(organizationId, run_id, id);
    await stores.files.put(key, new Uint8Array(4_194_304), "text/plain");
    expect((await ask("GET", path)).status).toBe(200);
    await stores.files.put(key, new Uint8Array(4_194_305), "text/plain");
    const elsewhere = await ask("GET", path);
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([307, expect.stringContaining(id)]);
  });

  it.each([
    ["", 300],
    ["?expires_in=10", 10],
    ["?expires_in=3600", 3_600],
  ])("has a link%s that is good for %d seconds", async (query, expires_in) => {
    const { created, ask } = await setUp();
    const { id } = await created({ content: "YWJj" });
    const link = await ask("GET", `/v1/run-attachments/${id}/download-url${query}`);
    expect(DownloadUrl.parse(await link.json()).expires_in).toBe(expires_in);
  });

  it.each([
    [9, "greater_than_equal"],
    [3_601, "less_than_equal"],
  ])("has no link that is good for %d seconds", async (seconds, type) => {
    const { ask } = await setUp();
    const response = await ask("GET", `/v1/run-attachments/${v7()}/download-url?expires_in=${seconds}`);
    expect(await problems(response)).toEqual([["query.expires_in", type]]);
  });
});
