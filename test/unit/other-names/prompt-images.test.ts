import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { PromptImage } from "../../../shared/contract/prompt-image.ts";
import { promptImageBytesMax } from "../../../shared/vocabulary/files.ts";
import { projectLines } from "../../support/shared/projected-lines.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const path = "/v1/workflows/prompt-image";
const gif = Buffer.from("GIF89a and the rest", "latin1");

async function setUp() {
  const service = await createTestService();
  const app = createTrajectoriesApp(service.deps);
  const authorization = service.authorize();
  const ask = asking(app, authorization);
  const send = async (body: FormData | string, headers: Record<string, string> = {}) =>
    await app.request(path, { method: "POST", headers: { authorization, ...headers }, body });
  const upload = async (file: Blob, name = "dot.gif", field = "file") => {
    const form = new FormData();
    form.append(field, file, name);
    return await send(form);
  };
  return { ...service, ask, send, upload };
}

const problemsOf = async (response: Response) => {
  expect(response.status).toBe(422);
  const { detail } = ValidationErrorBody.parse(await response.json());
  return detail.map(({ loc, type }) => [loc.join("."), type]);
};

describe("an image for prompts, by the paths of another service", () => {
  it("is sent in as a form, listed in a plain array, linked to, and deleted", async () => {
    const { ask, upload, stores, organizationId } = await setUp();
    const response = await upload(new Blob([gif], { type: "image/gif" }));
    expect(response.status).toBe(201);
    const image = PromptImage.parse(await response.json());
    expect(image).toMatchObject({
      filename: "dot.gif",
      content_type: "image/gif",
      size_bytes: gif.length,
      path: image.id,
      supabase_url: `image:${image.id}`,
      signed_url: image.url,
    });
    const { key = "" } = (await stores.promptImages.find(organizationId, image.id)) ?? {};
    expect(await stores.files.get(key, 1_000)).toEqual(new Uint8Array(gif));
    const listed = z.array(PromptImage).parse((await ask("GET", "/v1/workflows/prompt-images")).json);
    expect(listed.map(({ id }) => id)).toEqual([image.id]);
    const linked = await ask("GET", `${path}/signed-url?path=${image.path}`);
    expect(PromptImage.parse(linked.json)).toMatchObject({ id: image.id, expires_in: expect.any(Number) });
    expect((await ask("DELETE", `${path}?path=${image.supabase_url}`)).status).toBe(204);
    expect((await ask("GET", `${path}/signed-url?path=../${image.path}`)).status).toBe(404);
    for (const [method, at] of [
      ["GET", `${path}/signed-url`],
      ["DELETE", path],
    ] as const) {
      const { status, json } = await ask(method, `${at}?path=${image.path}`);
      expect([status, ErrorBody.parse(json).error_code]).toEqual([404, "not_found"]);
    }
    await projectLines(stores);
    const { items } = await stores.auditLog.list(organizationId, {}, { skip: 0, limit: 10 });
    expect(items).toMatchObject([
      { operation: "deletePromptImageAtPath", resourceType: "prompt_image", resourceId: image.id },
      { operation: "uploadPromptImage", resourceType: "prompt_image", resourceId: image.id },
    ]);
  });

  it("is refused unless the form has that file alone, and keeps nothing", async () => {
    const { upload, send, stores } = await setUp();
    expect(await problemsOf(await upload(new Blob([gif]), "dot.gif", "image"))).toEqual([
      ["body.file", "missing"],
    ]);
    const [text, more] = [new FormData(), new FormData()];
    text.append("file", "GIF89a");
    expect(await problemsOf(await send(text))).toEqual([["body.file", "value_error"]]);
    more.append("file", new Blob([gif]), "dot.gif");
    more.append("title", "dot");
    expect(await problemsOf(await send(more))).toEqual([["body.title", "extra_forbidden"]]);
    expect(await problemsOf(await upload(new Blob([gif]), "../dot.gif"))).toEqual([
      ["body.file", "value_error"],
    ]);
    expect(await problemsOf(await upload(new Blob([gif]), "dot.png"))).toEqual([
      ["body.file", "value_error"],
    ]);
    const large = new Blob([gif, Buffer.alloc(promptImageBytesMax)]);
    expect(await problemsOf(await upload(large))).toEqual([["body.file", "value_error"]]);
    expect(stores.files.keys()).toEqual([]);
  });

  it.each([
    ["no body", "", {}],
    ["JSON", "{}", { "content-type": "application/json" }],
    ["a form without its boundary", "--a\r\n", { "content-type": "multipart/form-data" }],
    ["a form that is cut off", "--a\r\n", { "content-type": "multipart/form-data; boundary=a" }],
  ])("is refused for %s", async (_what, body, headers) => {
    const { send } = await setUp();
    expect(await problemsOf(await send(body, headers))).toEqual([["header.content-type", "literal_error"]]);
  });

  it("is 413 for a form that is larger than a request may be", async () => {
    const { upload } = await setUp();
    const response = await upload(new Blob([gif, Buffer.alloc(promptImageBytesMax + 20_000)]));
    expect(response.status).toBe(413);
  });
});
