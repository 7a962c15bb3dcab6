import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createDriver, type Driver } from "../../../infra/driver/create-driver.ts";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";
import { FakeBucket } from "../../support/fake-service/fake-bucket.ts";
import { FakeService } from "../../support/fake-service/fake-service.ts";

const readRequest = "/computer/fs/read";
const writeRequest = "/computer/fs/write";
const shellRequest = "/computer/shell/exec";

describe("a driver over real sockets", () => {
  let service: FakeService;
  let bucket: FakeBucket;
  let root: string;
  let driver: Driver;
  let logged: string;

  async function start(desktop: Desktop): Promise<void> {
    driver = createDriver({
      url: await service.listen(),
      authorization: "Bearer key-under-test",
      fingerprint: "3f0d7c60-5f0e-4c12-9d6c-0a4f3f1b8f11",
      desktop,
      random: () => 0,
      log: (...event) => {
        logged += JSON.stringify(event);
      },
    });
    driver.start();
    await driver.connected();
  }

  beforeEach(async () => {
    logged = "";
    service = new FakeService();
    bucket = await FakeBucket.open();
    root = await mkdtemp(join(tmpdir(), "driver-files-"));
    await start(createLocalDesktop({ screen: new SimulatedScreen(), root, allowShell: true }));
  });
  afterEach(async () => {
    await driver.stop();
    await service.close();
    await bucket.close();
    await rm(root, { recursive: true, force: true });
  });

  it("sends its headers with the handshake", () => {
    expect(service.latest.headers).toMatchObject({
      authorization: "Bearer key-under-test",
      "x-machine-fingerprint": "3f0d7c60-5f0e-4c12-9d6c-0a4f3f1b8f11",
    });
  });

  it("comes back after a refusal and after a lost connection", async () => {
    service.refusals.push({ status: 429, retryAfterSeconds: 0.2 });
    service.latest.vanish(1012);
    await driver.connected();
    while (service.connections.length < 2 || service.latest.of("hello").length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(service.handshakes).toBe(3);
    expect(logged).toContain('"status":429');
  });

  it("closes in order when it is stopped", async () => {
    await driver.stop();
    expect(await service.latest.untilClosed()).toBe(1000);
  });

  it("writes and reads a small file inside messages", async () => {
    const content = randomBytes(1_000).toString("base64");
    const body = { path: "a.bin", content, mode: "write" };
    const written = await service.latest.ask({ path: writeRequest, body });
    expect(written.json()).toEqual({ path: join(root, "a.bin"), size: 1_000, modified: expect.any(String) });
    const read = await service.latest.ask({
      method: "GET",
      path: readRequest,
      query: "path=a.bin&as=inline",
    });
    expect(read.json()).toEqual({ path: join(root, "a.bin"), content, size: 1_000 });
  });

  it("appends, and keeps the mode of a file that it replaces", async () => {
    const file = join(root, "log.txt");
    const write = (content: string, mode: string) =>
      service.latest.ask({ path: writeRequest, body: { path: "log.txt", content: btoa(content), mode } });
    await write("one ", "append");
    await write("two", "append");
    expect(await readFile(file, "utf8")).toBe("one two");
    await writeFile(file, "", { mode: 0o640 });
    const before = (await stat(file)).mode;
    await write("new", "write");
    expect(await readFile(file, "utf8")).toBe("new");
    expect((await stat(file)).mode).toBe(before);
    expect(await readdir(root)).toEqual(["log.txt"]);
  });

  it("reads an inline file above 60 KB through the bucket, as JSON", async () => {
    const bytes = randomBytes(1_000_000);
    await writeFile(join(root, "b.bin"), bytes);
    const ask = { method: "GET", path: readRequest, query: "path=b.bin&as=inline" } as const;
    const answer = await service.latest.ask({
      ...ask,
      upload: bucket.at("answer", { "x-amz-checksum-crc32": "1" }),
    });
    expect(answer).toMatchObject({ status: 200, uploaded: true });
    expect(answer.body).toHaveLength(0);
    const stored = bucket.get("answer");
    expect(stored?.headers).toMatchObject({
      "x-amz-checksum-crc32": "1",
      "content-type": "application/json",
    });
    expect(answer.headers["content-length"]).toBe(String(stored?.body.byteLength));
    expect(JSON.parse(stored?.body.toString() ?? "")).toMatchObject({ content: bytes.toString("base64") });
    expect((await service.latest.ask(ask)).status).toBe(413);
  });

  it("brings 50 MB to the desktop and back, byte for byte", async () => {
    const bytes = randomBytes(50 * 1024 * 1024);
    bucket.put("file", bytes);
    const written = await service.latest.ask({
      path: writeRequest,
      query: "path=big.bin&mode=write",
      headers: { "Content-Type": "application/octet-stream" },
      download: bucket.at("file"),
    });
    expect(written.json()).toMatchObject({ size: bytes.byteLength });
    const answer = await service.latest.ask({
      method: "GET",
      path: readRequest,
      query: "path=big.bin&as=url",
      upload: bucket.at("copy"),
    });
    expect(answer.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": String(bytes.byteLength),
      "x-file-size": String(bytes.byteLength),
      "x-file-path": encodeURIComponent(join(root, "big.bin")),
    });
    const hash = (body: Uint8Array) => createHash("sha256").update(body).digest("hex");
    expect(hash(bucket.get("copy")?.body ?? Buffer.alloc(0))).toBe(hash(bytes));
  });

  it.each([0, 10])(
    "puts a file of %i bytes into the bucket, too, when an address of it is wanted",
    async (size) => {
      await writeFile(join(root, "s.bin"), Buffer.alloc(size, 1));
      const answer = await service.latest.ask({
        method: "GET",
        path: readRequest,
        query: "path=s.bin&as=url",
        upload: bucket.at("small"),
      });
      expect(answer).toMatchObject({ status: 200, uploaded: true });
      expect(bucket.get("small")?.body).toHaveLength(size);
    },
  );

  it("tries an upload again that failed, and answers 500 when it fails for good", async () => {
    await writeFile(join(root, "b.bin"), randomBytes(100_000));
    const ask = {
      method: "GET",
      path: readRequest,
      query: "path=b.bin&as=url",
      upload: bucket.at("x"),
    } as const;
    bucket.failures.push(503, 0);
    expect((await service.latest.ask(ask)).status).toBe(200);
    expect(bucket.calls).toBe(3);
    bucket.failures.push(403);
    const refused = await service.latest.ask(ask);
    expect(refused.status).toBe(500);
    expect(refused.json()).toMatchObject({ code: "upload_failed", error: "the upload was answered 403" });
    expect(logged).not.toContain("signature");
  });

  it("takes an upload for stored that an earlier attempt has made", async () => {
    await writeFile(join(root, "b.bin"), randomBytes(100_000));
    const upload = bucket.at("once", { "if-none-match": "*" });
    bucket.put("once", randomBytes(100_000));
    const ask = { method: "GET", path: readRequest, query: "path=b.bin&as=url", upload } as const;
    expect(await service.latest.ask(ask)).toMatchObject({ status: 200, uploaded: true });
  });

  it("leaves the file as it was when a download breaks or is refused", async () => {
    await writeFile(join(root, "keep.txt"), "old");
    bucket.put("new", randomBytes(200_000));
    const ask = {
      path: writeRequest,
      query: "path=keep.txt&mode=write",
      headers: { "content-type": "application/octet-stream" },
      download: bucket.at("new"),
    };
    bucket.failures.push(403, 0);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await service.latest.ask(ask);
      expect(answer.status).toBe(500);
      expect(answer.json()).toMatchObject({ code: "download_failed" });
    }
    expect(await readFile(join(root, "keep.txt"), "utf8")).toBe("old");
    expect(await readdir(root)).toEqual(["keep.txt"]);
  });

  it("names the other way when a file is too large for inline, and refuses above 100 MB", async () => {
    const file = join(root, "large.bin");
    await writeFile(file, "");
    await truncate(file, 4 * 1024 * 1024 + 1);
    const inline = await service.latest.ask({ method: "GET", path: readRequest, query: "path=large.bin" });
    expect([inline.status, JSON.stringify(inline.json())]).toEqual([413, expect.stringContaining("as=url")]);
    await truncate(file, 100 * 1024 * 1024 + 1);
    const query = "path=large.bin&as=url";
    expect(
      (await service.latest.ask({ method: "GET", path: readRequest, query, upload: bucket.at("n") })).status,
    ).toBe(413);
    expect(bucket.calls).toBe(0);
  });

  it("lists a folder by name, with sizes and times", async () => {
    await mkdir(join(root, "sub"));
    await writeFile(join(root, "b.txt"), "12345");
    const answer = await service.latest.ask({ method: "GET", path: "/computer/fs/list" });
    const modified = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(answer.json()).toEqual({
      path: root,
      items: [
        { name: "b.txt", path: join(root, "b.txt"), is_dir: false, size: 5, modified },
        { name: "sub", path: join(root, "sub"), is_dir: true, size: 0, modified },
      ],
    });
  });

  it("touches nothing outside its folder, not by a link either", async () => {
    await symlink("/etc", join(root, "out"));
    for (const path of ["../x", "/etc/hostname", "out/hostname", "sub/../../x", "out"]) {
      const read = await service.latest.ask({
        method: "GET",
        path: readRequest,
        query: `path=${encodeURIComponent(path)}`,
      });
      expect([path, read.status]).toEqual([
        path,
        path === "../x" || path.startsWith("sub") ? read.status : 403,
      ]);
      expect([403, 404]).toContain(read.status);
      const write = await service.latest.ask({
        path: writeRequest,
        body: { path: `${path}/evil`, content: "", mode: "write" },
      });
      expect([403, 404, 422]).toContain(write.status);
    }
    expect(await readdir(root)).toEqual(["out"]);
  });

  it.each(["write", "append"])("refuses to %s through a link that leads nowhere yet", async (mode) => {
    const outside = `${root}-made-by-a-link`;
    await symlink(outside, join(root, "link"));
    const answer = await service.latest.ask({
      path: writeRequest,
      body: { path: "link", content: "YQ==", mode },
    });
    expect(answer.status).toBe(422);
    await expect(stat(outside)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await readdir(root)).toEqual(["link"]);
  });

  it.each([
    ["path=missing.txt", 404],
    ["path=.", 422],
    ["", 422],
    ["path=a%00b", 422],
    ["path=a&as=smoke", 422],
  ])("answers a read of %j with %i", async (query, status) => {
    expect((await service.latest.ask({ method: "GET", path: readRequest, query })).status).toBe(status);
  });

  it("runs a command and answers both outputs and the exit code", async () => {
    const body = { command: "pwd; echo problem >&2; exit 3" };
    const answer = await service.latest.ask({ path: shellRequest, body });
    expect(answer.json()).toEqual({
      stdout: `${root}\n`,
      stderr: "problem\n",
      exit_code: 3,
      timeout_reached: false,
    });
  });

  it("ends a command and what it started when its time is over", async () => {
    const body = { command: "echo begun; sleep 61 & echo $!; sleep 62", timeout: 0.3 };
    const result = (await service.latest.ask({ path: shellRequest, body })).json() as { stdout: string };
    expect(result).toMatchObject({
      exit_code: 137,
      timeout_reached: true,
      stdout: expect.stringContaining("begun"),
    });
    const child = Number(result.stdout.split("\n")[1]);
    const state = await readFile(`/proc/${child}/stat`, "utf8").catch(() => "gone");
    expect(state).toMatch(/gone|\) Z /);
  });

  it("does not wait for a program left in the background", async () => {
    const started = Date.now();
    const body = { command: "sleep 15 & echo $!" };
    const answer = await service.latest.ask({ path: shellRequest, body });
    expect(answer.json()).toMatchObject({ exit_code: 0, timeout_reached: false });
    expect(Date.now() - started).toBeLessThan(14_000);
  });

  it.each([
    ["a folder that is not there", { working_directory: "nowhere" }],
    ["a folder that is a file", { working_directory: "a-file" }],
    ["a folder inside a file", { working_directory: "a-file/below" }],
    ["a folder with too long a name", { working_directory: "x".repeat(300) }],
    ["a folder that no path can be as long as", { working_directory: "x/".repeat(2_048) }],
    ["a folder with a null character", { working_directory: "a\0b" }],
    ["a command with a null character", { command: "echo a\0b" }],
  ])("refuses %s with 422", async (_, given) => {
    await writeFile(join(root, "a-file"), "");
    const answer = await service.latest.ask({ path: shellRequest, body: { command: "true", ...given } });
    expect([answer.status, answer.json()]).toEqual([
      422,
      { code: expect.any(String), error: expect.any(String) },
    ]);
  });

  it("refuses a command of more bytes than the system takes in one argument", async () => {
    const desktop = createLocalDesktop({ screen: new SimulatedScreen(), root, allowShell: true });
    const answer = await askDesktop(desktop, "POST", "shell/exec", {
      body: { command: "漢".repeat(50_000) },
    });
    expect([answer.status, jsonOf(answer)]).toMatchObject([
      422,
      { error: expect.stringContaining("too long") },
    ]);
  });

  it("cuts output that has no end", async () => {
    const body = { command: "head -c 3000000 /dev/zero | tr '\\0' x" };
    const answer = await service.latest.ask({ path: shellRequest, body, upload: bucket.at("out") });
    expect(answer).toMatchObject({ status: 200, uploaded: true });
    const result = JSON.parse(bucket.get("out")?.body.toString() ?? "{}") as { stdout: string };
    expect(result.stdout).toMatch(/x\n\[1951424 bytes left out\]$/);
  });

  it("says what was done of a batch that its deadline has cut, once it is asked", async () => {
    const actions = [
      { type: "move", x: 1, y: 1 },
      { type: "wait", seconds: 10 },
      { type: "move", x: 2, y: 2 },
    ];
    const batch = { path: "/computer/batch", body: { actions, screenshot: true }, actionId: "b" };
    for (const part of service.latest.requestParts({ ...batch, deadline: Date.now() + 300 })) {
      service.latest.send(part);
    }
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect((await service.latest.ask({ ...batch, repeat: true })).json()).toEqual({
      results: [
        { type: "move", status: "done" },
        { type: "wait", status: "failed", error: "the batch's time was over before this was done" },
        { type: "move", status: "skipped" },
      ],
      screenshot: null,
    });
    expect(service.latest.of("response")).toHaveLength(1);
  });

  it("answers a remembered large answer again, into the bucket of the second call", async () => {
    const body = { command: "head -c 100000 /dev/zero | tr '\\0' x; echo once >> count" };
    await service.latest.ask({ path: shellRequest, body, actionId: "a", upload: bucket.at("first") });
    const again = await service.latest.ask({
      path: shellRequest,
      body,
      actionId: "a",
      upload: bucket.at("second"),
      repeat: true,
    });
    expect(again).toMatchObject({ status: 200, uploaded: true });
    expect(bucket.get("second")?.body.equals(bucket.get("first")?.body ?? Buffer.alloc(0))).toBe(true);
    expect(await readFile(join(root, "count"), "utf8")).toBe("once\n");
  });
});
