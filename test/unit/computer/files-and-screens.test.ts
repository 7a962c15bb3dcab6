import { describe, expect, it } from "vitest";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { createUpload, presignUpload } from "../../../shared/domain/computer/create-upload.ts";
import { forwardAction } from "../../../shared/domain/computer/forward-action.ts";
import { readJsonAnswer } from "../../../shared/domain/computer/json-answer.ts";
import { readFileAsLink, readFileInline } from "../../../shared/domain/computer/read-file.ts";
import { takeScreenshot } from "../../../shared/domain/computer/take-screenshot.ts";
import { writeFile } from "../../../shared/domain/computer/write-file.ts";
import type { DriverAnswer, DriverRequest } from "../../../shared/domain/tunnel/driver-channel.ts";
import type { Scope } from "../../../shared/vocabulary/access.ts";
import { aMachine, anOrganization } from "../../support/builders/entities.ts";
import { aPng } from "../../support/pictures/a-png.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

const png = Uint8Array.from(aPng({ width: 1, height: 1, bytes: [1, 2, 3] }));

async function setUp(
  answer: DriverAnswer,
  scopes: readonly Scope[] = ["read", "write"],
  capabilities: readonly string[] = [],
) {
  const stores = createModelStores();
  const machine = aMachine({ connection: { id: "c", websocketId: "w", host: "h" }, capabilities });
  await stores.machines.create(machine);
  const requests: DriverRequest[] = [];
  const channel = {
    request: async (request: DriverRequest) => {
      requests.push(request);
      return answer;
    },
  };
  const caller: Caller = {
    kind: "api_key",
    organizationId: machine.organizationId,
    userId: machine.userId,
    principal: "p",
    keyId: "k",
    scopes,
  };
  return {
    ...stores,
    deps: { ...stores, channel, organizationCallsMax: 200 },
    machine,
    caller,
    requests,
    machineId: machine.id,
  };
}

function answered(status: number, body: Uint8Array | string): DriverAnswer {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { kind: "answered", status, headers: {}, body: bytes };
}

describe("takeScreenshot", () => {
  it("asks for the size wanted and answers the PNG", async () => {
    const { deps, caller, machineId, requests } = await setUp(answered(200, png));
    const screenshot = await takeScreenshot(deps, caller, { machineId, width: 640 });
    expect(screenshot).toEqual({ png, isSettled: undefined });
    expect(requests[0]).toMatchObject({
      path: "/computer/display/screenshot",
      query: "width=640",
      largeResponse: true,
    });
  });

  it("fetches a large one from the bucket, where it does not stay", async () => {
    const { deps, caller, machineId, files } = await setUp({
      kind: "stored",
      status: 200,
      headers: {},
      key: "tunnel/o/1",
      sizeBytes: png.length,
    });
    await files.put("tunnel/o/1", png, "image/png");
    expect((await takeScreenshot(deps, caller, { machineId })).png).toEqual(png);
    expect(await files.has("tunnel/o/1")).toBe(false);
  });

  it.each([
    ["true", true],
    ["false", false],
    [undefined, false],
  ])("passes on what the driver says of a still screen: %s", async (said, isSettled) => {
    const headers: Record<string, string> = said === undefined ? {} : { "x-screen-settled": said };
    const answer = { ...answered(200, png), headers };
    const { deps, caller, machineId, requests } = await setUp(answer, ["read"], ["screenshot_settle"]);
    const screenshot = await takeScreenshot(deps, caller, { machineId, settleMs: 250, cursor: true });
    expect(screenshot).toEqual({ png, isSettled });
    expect(requests[0]?.query).toBe("settle_ms=250&cursor=true");
  });

  it("asks a driver that does not name it for neither, and calls no screen of its still", async () => {
    const { deps, caller, machineId, requests } = await setUp(answered(200, png));
    const screenshot = await takeScreenshot(deps, caller, { machineId, settleMs: 250, cursor: true });
    expect(screenshot).toEqual({ png, isSettled: false });
    expect(requests[0]?.query).toBe("");
  });

  it("says to ask for a smaller one when it cannot fit an answer", async () => {
    const { deps, caller, machineId } = await setUp({
      kind: "stored",
      status: 200,
      headers: {},
      key: "tunnel/o/1",
      sizeBytes: 4_400_001,
    });
    await expect(takeScreenshot(deps, caller, { machineId })).rejects.toMatchObject({
      code: "answer_too_large",
      message: expect.stringContaining("smaller width and height"),
    });
  });

  const huge = Buffer.from(png);
  huge.writeUInt32BE(65_535, 16);
  huge.writeUInt32BE(65_535, 20);
  const empty = Buffer.from(png);
  empty.writeUInt32BE(0, 16);

  it.each([
    ["is no PNG", Buffer.from("<html>")],
    ["has more pixels than anybody can read", huge],
    ["has no pixels", empty],
    ["ends before it says its size", Buffer.from(png).subarray(0, 20)],
  ])("does not pass on what %s", async (_, body) => {
    const { deps, caller, machineId } = await setUp(answered(200, body));
    await expect(takeScreenshot(deps, caller, { machineId })).rejects.toMatchObject({
      code: "driver_failed",
    });
  });
});

describe("forwardAction", () => {
  it.each([
    ["is no JSON", "<html>"],
    ["is no text", Uint8Array.of(0xff, 0xfe)],
    ["nests thousands of levels", `${'{"items":['.repeat(4_000)}${"]}".repeat(4_000)}`],
  ])("takes an answer that %s for the driver's failure", async (_, body) => {
    const { deps, caller, machineId } = await setUp(answered(200, body));
    await expect(
      forwardAction(deps, caller, { machineId, access: "act", method: "POST", operation: "shell/exec" }),
    ).rejects.toMatchObject({ code: "driver_failed" });
  });

  it("keeps a large answer as where it lies in the bucket", async () => {
    const stored = { kind: "stored", status: 200, headers: {}, key: "tunnel/o/2", sizeBytes: 12 } as const;
    const { deps, caller, machineId, files } = await setUp(stored);
    await files.put("tunnel/o/2", new TextEncoder().encode('{"stdout":"x"}'), "application/json");
    const answer = await forwardAction(deps, caller, {
      machineId,
      access: "act",
      method: "POST",
      operation: "shell/exec",
    });
    expect(answer).toEqual({ kind: "stored", key: "tunnel/o/2" });
    expect(await readJsonAnswer(files, answer)).toEqual({ stdout: "x" });
  });
});

describe("reading a desktop's file", () => {
  it("points to as=url when the driver says that it is too large for an answer", async () => {
    const { deps, caller, machineId } = await setUp(answered(413, '{"error":"5000000 bytes"}'));
    await expect(readFileInline(deps, caller, { machineId, path: "a.bin" })).rejects.toMatchObject({
      code: "answer_too_large",
      message: expect.stringContaining("as=url"),
    });
  });

  it("links to where the driver has put a large file", async () => {
    const { deps, caller, machineId } = await setUp({
      kind: "stored",
      status: 200,
      headers: {},
      key: "tunnel/o/3",
      sizeBytes: 50_000_000,
    });
    const { sizeBytes, link } = await readFileAsLink(deps, caller, { machineId, path: "/home/u/a.bin" });
    expect(sizeBytes).toBe(50_000_000);
    expect(link.url).toContain("tunnel/o/3");
  });

  it("puts a small file, which came through the tunnel, where its link points", async () => {
    const { deps, caller, machineId, files } = await setUp(answered(200, "hello"));
    const { sizeBytes, link } = await readFileAsLink(deps, caller, { machineId, path: "a.txt" });
    expect(sizeBytes).toBe(5);
    const key = new URL(link.url).pathname.slice(1);
    expect(new TextDecoder().decode(await files.get(key, 100))).toBe("hello");
  });
});

describe("writing a file to a desktop", () => {
  const upload = "0190b5a0-0000-7000-8000-00000000000f";

  it("sends content through the tunnel as JSON", async () => {
    const { deps, caller, machineId, requests } = await setUp(answered(200, "{}"));
    const source = { kind: "content", base64: "aGk=" } as const;
    await writeFile(deps, caller, { machineId, path: "a.txt", mode: "append", source });
    expect(JSON.parse(new TextDecoder().decode(requests[0]?.body))).toEqual({
      path: "a.txt",
      mode: "append",
      content: "aGk=",
    });
  });

  it("sends an upload as the place in the caller's own part of the bucket that the driver fetches", async () => {
    const { deps, caller, machineId, files, requests } = await setUp(answered(200, "{}"));
    await files.put(files.uploadKey(caller.organizationId, upload), png, "application/octet-stream");
    const source = { kind: "upload", uploadId: upload } as const;
    await writeFile(deps, caller, { machineId, path: "/tmp/a b.png", mode: "write", source });
    expect(requests[0]).toMatchObject({
      bodyKey: files.uploadKey(caller.organizationId, upload),
      query: "path=%2Ftmp%2Fa+b.png&mode=write",
      headers: { "content-type": "application/octet-stream" },
    });
  });

  it("answers 404 when nothing was put under the upload id, also when another organization has put something", async () => {
    const { deps, caller, machineId, files, requests } = await setUp(answered(200, "{}"));
    await files.put(files.uploadKey(anOrganization(), upload), png, "application/octet-stream");
    const source = { kind: "upload", uploadId: upload } as const;
    await expect(
      writeFile(deps, caller, { machineId, path: "a", mode: "write", source }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
    expect(requests).toHaveLength(0);
  });
});

describe("createUpload", () => {
  it("makes a link for exactly the size announced, below the caller's organization", async () => {
    const { deps, caller, machineId } = await setUp(answered(200, "{}"));
    const created = await createUpload(deps, caller, { machineId, sizeBytes: 50_000_000 });
    const link = await presignUpload(deps, caller, created);
    expect(link.headers).toMatchObject({ "content-length": "50000000" });
    expect(link.url).toContain(deps.files.uploadKey(caller.organizationId, created.uploadId));
  });
});
