import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { PromptImage } from "../../../shared/contract/prompt-image.ts";
import {
  imageTypeOf,
  partsOfPrompt,
  promptImagesMax,
} from "../../../shared/domain/prompt-image/prompt-image.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { aPromptImage } from "../../support/builders/workflows.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const path = "/v1/workflows/prompt-images";
const base64 = (...text: string[]) => Buffer.from(text.join(""), "latin1").toString("base64");
const contents = {
  png: base64("\x89PNG\r\n\x1a\n", "rest"),
  jpeg: base64("\xff\xd8\xff\xe0", "rest"),
  gif: base64("GIF89a", "rest"),
  webp: base64("RIFF\x10\x00\x00\x00WEBPVP8 ", "rest"),
};

async function setUp() {
  const service = await createTestService();
  const { stores } = service;
  const app = createTrajectoriesApp(service.deps);
  const ask = asking(app, service.authorize(), path);
  const make = async (filename: string, content: string) =>
    PromptImage.parse((await ask("POST", "", { filename, content })).json);
  return { ...service, stores, ask, make };
}

describe("POST /v1/workflows/prompt-images", () => {
  it.each([
    ["button.png", contents.png, "image/png"],
    ["photo.JPG", contents.jpeg, "image/jpeg"],
    ["moving.gif", contents.gif, "image/gif"],
    ["page.webp", contents.webp, "image/webp"],
    ["without an extension", contents.png, "image/png"],
  ])("takes %s, and links to what was sent", async (filename, content, content_type) => {
    const { make, stores, organizationId, log } = await setUp();
    const image = await make(filename, content);
    const bytes = Buffer.from(content, "base64");
    expect(image).toMatchObject({ filename, content_type, size_bytes: bytes.length });
    const { key = "" } = (await stores.promptImages.find(organizationId, image.id)) ?? {};
    expect(await stores.files.get(key, 1_000)).toEqual(new Uint8Array(bytes));
    expect(image.url).toContain(encodeURI(key));
    expect(log.text()).not.toContain(image.url);
  });

  it.each([
    ["a PNG by name alone", { filename: "a.png", content: contents.jpeg }],
    ["text", { filename: "a.txt", content: base64("some text, long enough") }],
    ["nothing", { filename: "a.png", content: "" }],
    ["a sound", { filename: "a.webp", content: base64("RIFF\x10\x00\x00\x00WAVEfmt ") }],
    ["more than 4 MB", { filename: "a.png", content: Buffer.alloc(4_194_305).toString("base64") }],
  ])("refuses %s, and keeps nothing", async (_what, body) => {
    const { ask, stores } = await setUp();
    const { status, json } = await ask("POST", "", body);
    expect([status, json.detail[0].loc, json.detail[0].type]).toEqual([
      422,
      ["body", "content"],
      "value_error",
    ]);
    expect(stores.files.keys()).toEqual([]);
  });

  it("takes no more than a thousand, and keeps no object of the next", async () => {
    const { ask, stores, organizationId } = await setUp();
    for (let made = 0; made < promptImagesMax; made += 1) {
      await stores.promptImages.create(aPromptImage({ organizationId }));
    }
    const { status, json } = await ask("POST", "", { filename: "a.png", content: contents.png });
    expect([status, json.error_code]).toEqual([409, "limit_reached"]);
    expect(stores.files.keys()).toEqual([]);
  });
});

describe("prompt images", () => {
  it("are deleted with their objects, once, and nobody else's", async () => {
    const { ask, make, stores } = await setUp();
    const { id } = await make("a.png", contents.png);
    const foreign = aPromptImage({ organizationId: anOrganization() });
    await stores.promptImages.create(foreign);
    const headers = { "idempotency-key": randomUUID() };
    expect((await ask("DELETE", `/${id}`, undefined, headers)).status).toBe(204);
    expect((await ask("DELETE", `/${id}`, undefined, headers)).status).toBe(204);
    expect((await ask("DELETE", `/${id}`)).status).toBe(404);
    expect((await ask("GET", `/${id}`)).status).toBe(404);
    expect((await ask("DELETE", `/${foreign.id}`)).status).toBe(404);
    expect(stores.files.keys()).toEqual([]);
    expect((await ask("GET", "")).json).toEqual([]);
  });
});

describe("a prompt", () => {
  const id = "0190b5a0-0000-7000-8000-00000000000a";
  it.each<[string, ReturnType<typeof partsOfPrompt>]>([
    ["no image", ["no image"]],
    [`press ![the button](image:${id}) twice`, ["press ", { imageId: id }, " twice"]],
    [`![](image:${id.toUpperCase()})`, [{ imageId: id }]],
    [`see <img src="image:${id}" alt="the button"> there`, ["see ", { imageId: id }, " there"]],
    [`<img alt='a > b' src='image:${id}'/>`, [`<img alt='a > b' src='image:${id}'/>`]],
    [`<IMG width="9"\nsrc='image:${id}'/>`, [{ imageId: id }]],
    [`<image src="image:${id}">`, [`<image src="image:${id}">`]],
    ["![](image:7) and ![x](https://a.test/b.png)", ["![](image:7) and ![x](https://a.test/b.png)"]],
  ])("names images by their ids alone: %s", (text, parts) => {
    expect(partsOfPrompt(text)).toEqual(parts);
  });

  it("is searched in a time that grows with its length, whatever it is made of", () => {
    const text = "<img src=".repeat(11_000);
    expect(partsOfPrompt(text)).toEqual([text]);
  });

  it("knows no image by fewer bytes than tell it", () => {
    for (const content of Object.values(contents)) {
      expect(imageTypeOf(Buffer.from(content, "base64").subarray(0, 2))).toBeUndefined();
    }
  });
});
