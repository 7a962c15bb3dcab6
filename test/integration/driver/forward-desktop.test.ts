import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDriver, type Driver } from "../../../infra/driver/create-driver.ts";
import { createForwardDesktop } from "../../../infra/driver/desktops/forward-desktop.ts";
import { type LoopbackServer, listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import { FakeBucket } from "../../support/fake-service/fake-bucket.ts";
import { FakeService } from "../../support/fake-service/fake-service.ts";

describe("a driver in front of a local HTTP server", () => {
  let service: FakeService;
  let bucket: FakeBucket;
  let local: LoopbackServer;
  let driver: Driver;
  const seen: {
    method: string | undefined;
    url: string | undefined;
    headers: IncomingMessage["headers"];
    body: string;
  }[] = [];
  let respond: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    seen.length = 0;
    respond = (_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    const server = createServer(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: await text(request) });
      respond(request, response);
    });
    local = await listenOnLoopback(server, 0);
    service = new FakeService();
    bucket = await FakeBucket.open();
    driver = createDriver({
      url: await service.listen(),
      authorization: "Bearer key-under-test",
      fingerprint: "3f0d7c60-5f0e-4c12-9d6c-0a4f3f1b8f11",
      desktop: createForwardDesktop(new URL(`${local.url}/base/`)),
    });
    driver.start();
    await driver.connected();
  });
  afterEach(async () => {
    await driver.stop();
    await service.close();
    await bucket.close();
    await local.stop();
  });

  it("hands on method, path, query and body, and no header of the hop before", async () => {
    const answer = await service.latest.ask({
      path: "/computer/input/mouse/scroll",
      query: "a=%20b",
      headers: { Authorization: "Bearer x", Host: "elsewhere", "X-Thing": "1" },
      body: { direction: "up", amount: 2 },
    });
    expect([answer.status, answer.json()]).toEqual([200, {}]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: "POST",
      url: "/base/computer/input/mouse/scroll?a=%20b",
      body: '{"direction":"up","amount":2}',
    });
    expect(seen[0]?.headers).toMatchObject({ "content-type": "application/json", "x-thing": "1" });
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
    expect(seen[0]?.headers.host).toContain("127.0.0.1");
  });

  it.each([
    "/admin",
    "/computer/../../admin",
    "/computer/%2e%2e/%2e%2e/admin",
    "/computer/display/..%2f..%2f..%2fadmin",
    "/computer/display\\..\\..\\..\\admin",
    "//127.0.0.1:1/computer/display/dimensions",
    "/computer//display/dimensions",
    "/computer/display/dimensions/",
    "/computer/display/dimensions#a",
    "/computer/display/dimensions?a",
    "/computer/Display/dimensions",
  ])("hands on no path but the contract's: not %s", async (path) => {
    const answer = await service.latest.ask({ method: "GET", path });
    expect([answer.status, answer.json()]).toMatchObject([404, { code: "unknown_path" }]);
    expect(seen).toHaveLength(0);
  });

  it("hands on no method but the contract's", async () => {
    const answer = await service.latest.ask({ path: "/computer/display/dimensions" });
    expect([answer.status, answer.json()]).toMatchObject([405, { code: "method_not_allowed" }]);
    expect(seen).toHaveLength(0);
  });

  it("hands back status and body, errors too", async () => {
    respond = (_request, response) =>
      response.writeHead(422, { "content-type": "application/json" }).end('{"error":"no"}');
    const answer = await service.latest.ask({ path: "/computer/input/mouse/move", body: {} });
    expect([answer.status, answer.json()]).toEqual([422, { error: "no" }]);
  });

  it("does an action once, whatever stands behind it", async () => {
    const ask = { path: "/computer/input/mouse/move", body: { x: 1, y: 1 }, actionId: "m" };
    await service.latest.ask(ask);
    await service.latest.ask(ask);
    expect(seen).toHaveLength(1);
  });

  it("leaves it to the local server to wait for a still screen and to say so", async () => {
    respond = (_request, response) =>
      response.writeHead(200, { "content-type": "image/png", "x-screen-settled": "true" }).end("png");
    const query = "settle_ms=300&cursor=true";
    const path = "/computer/display/screenshot";
    const { headers } = await service.latest.ask({ method: "GET", path, query });
    expect(headers["x-screen-settled"]).toBe("true");
    expect(seen[0]?.url).toBe(`/base${path}?${query}`);
    expect(service.latest.of("hello")[0]?.capabilities).toContain("screenshot_settle");
  });

  it("asks a local server, which knows no batches, for one action after another and then for the screen", async () => {
    const png = Buffer.alloc(80_000, 5);
    respond = (request, response) => {
      if (request.url?.includes("screenshot"))
        response.writeHead(200, { "x-screen-settled": "true" }).end(png);
      else if (request.url?.includes("click")) response.writeHead(422).end('{"error":"not there"}');
      else response.writeHead(200, { "content-type": "application/json" }).end('{"number":"4711"}');
    };
    const body = {
      actions: [
        { type: "move", x: 1, y: 1 },
        { type: "copy_to_clipboard", text: "number" },
        { type: "click", x: 2, y: 2 },
        { type: "move", x: 3, y: 3 },
      ],
      screenshot: true,
      settle_ms: 300,
      cursor: true,
    };
    const answer = await service.latest.ask({ path: "/computer/batch", body, upload: bucket.at("batch") });
    expect(answer).toMatchObject({ status: 200, uploaded: true });
    expect(JSON.parse(bucket.get("batch")?.body.toString() ?? "")).toEqual({
      results: [
        { type: "move", status: "done" },
        { type: "copy_to_clipboard", status: "done", answer: { number: "4711" } },
        { type: "click", status: "failed", error: "not there" },
        { type: "move", status: "skipped" },
      ],
      screenshot: { settled: true, png: png.toString("base64") },
    });
    expect(
      seen.map(({ method, url, body: sent }) => [method, url?.replace("/base/computer/", ""), sent]),
    ).toEqual([
      ["POST", "input/mouse/move", '{"x":1,"y":1}'],
      ["POST", "copy_to_clipboard", '{"text":"number"}'],
      ["POST", "input/mouse/click", '{"x":2,"y":2,"button":"left","clicks":1}'],
      ["GET", "display/screenshot?settle_ms=300&cursor=true", ""],
    ]);
    expect(service.latest.of("hello")[0]?.capabilities).toContain("computer/batch");
  });

  it("hands the opening of a program on to the local server, by itself and in a batch", async () => {
    respond = (_request, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"was_open":true,"is_shown":true}');
    const body = { program: "Orders", if_open: "restart" };
    const alone = await service.latest.ask({ path: "/computer/programs/open", body });
    const inBatch = await service.latest.ask({
      path: "/computer/batch",
      body: { actions: [{ type: "open", ...body }] },
    });
    expect([alone.status, inBatch.status]).toEqual([200, 200]);
    expect(seen.map(({ url, body: sent }) => [url, sent])).toEqual([
      ["/base/computer/programs/open", JSON.stringify(body)],
      ["/base/computer/programs/open", JSON.stringify(body)],
    ]);
  });

  describe("for a shell command", () => {
    const path = "/computer/shell/exec";
    const body = { command: "Get-Date", timeout: 5 };
    const ran = { stdout: "now", stderr: "", exit_code: 0, session_id: "s" };
    const urls = () => seen.map(({ url }) => url?.replace("/base/computer/shell/", ""));

    it("asks a server with the same path there alone", async () => {
      respond = (_request, response) => response.end(JSON.stringify({ ...ran, timeout_reached: true }));
      const answer = await service.latest.ask({ path, body });
      expect([answer.json(), urls()]).toEqual([{ ...ran, timeout_reached: true }, ["exec"]]);
    });

    it.each([404, 405, 501])(
      "asks one that says %d there at its path for PowerShell, from then on first",
      async (status) => {
        respond = (request, response) =>
          request.url?.includes("powershell")
            ? response.end(JSON.stringify(ran))
            : response.writeHead(status).end("{}");
        const first = await service.latest.ask({ path, body });
        const second = await service.latest.ask({ path, body });
        for (const answer of [first, second]) {
          expect([answer.status, answer.json()]).toEqual([200, { ...ran, timeout_reached: false }]);
        }
        expect(urls()).toEqual(["exec", "powershell/exec", "powershell/exec"]);
        expect(seen.map(({ body: sent }) => JSON.parse(sent))).toEqual([body, body, body]);
      },
    );

    it("says that a command took too long where the server says so in words", async () => {
      const late = { ...ran, exit_code: -1, error: "Command timed out after 5 seconds" };
      respond = (request, response) =>
        request.url?.includes("powershell")
          ? response.end(JSON.stringify(late))
          : response.writeHead(404).end();
      expect((await service.latest.ask({ path, body })).json()).toEqual({ ...late, timeout_reached: true });
    });

    it("hands back the first refusal of a server that has neither, and of one that refuses the command", async () => {
      respond = (request, response) =>
        response.writeHead(request.url?.includes("powershell") ? 404 : 501).end('{"error":"none"}');
      const neither = await service.latest.ask({ path, body });
      expect([neither.status, neither.json()]).toEqual([501, { error: "none" }]);
      seen.length = 0;
      respond = (_request, response) => response.writeHead(422).end('{"error":"no"}');
      expect([(await service.latest.ask({ path, body })).status, urls()]).toEqual([422, ["exec"]]);
    });
  });

  it("names the programs of the local server where it is given their names, and none otherwise", () => {
    const base = new URL("http://127.0.0.1:9");
    const [without, withNames] = [createForwardDesktop(base), createForwardDesktop(base, ["Orders"])];
    expect([without.programs, without.capabilities.includes("open_program")]).toEqual([[], false]);
    expect([withNames.programs, withNames.capabilities.includes("open_program")]).toEqual([["Orders"], true]);
  });

  it.each([true, false])("brings a large answer to the bucket (length announced: %s)", async (announced) => {
    const png = Buffer.alloc(announced ? 9_000_000 : 300_000, 5);
    respond = (_request, response) => {
      response.writeHead(200, {
        "content-type": "image/png",
        ...(announced ? { "content-length": png.byteLength } : {}),
      });
      response.end(png);
    };
    const upload = bucket.at("shot");
    const answer = await service.latest.ask({ method: "GET", path: "/computer/display/screenshot", upload });
    expect(answer).toMatchObject({ status: 200, uploaded: true });
    expect(answer.headers).toEqual({ "content-type": "image/png", "content-length": String(png.byteLength) });
    expect(bucket.get("shot")?.body.equals(png)).toBe(true);
    expect(bucket.get("shot")?.headers["content-type"]).toBe("image/png");
  });

  it("hands a body from the bucket on as it comes", async () => {
    bucket.put("body", Buffer.alloc(500_000, 97));
    const download = bucket.at("body");
    const answer = await service.latest.ask({ path: "/computer/fs/write", query: "path=x", download });
    expect(answer.status).toBe(200);
    expect(seen[0]?.body).toHaveLength(500_000);
  });

  it("answers 502 when nobody listens, and follows no redirect", async () => {
    respond = (_request, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    expect((await service.latest.ask({ method: "GET", path: "/computer/display/dimensions" })).status).toBe(
      302,
    );
    await local.stop();
    const answer = await service.latest.ask({ method: "GET", path: "/computer/display/dimensions" });
    expect([answer.status, answer.json()]).toEqual([
      502,
      { error: expect.any(String), code: "local_server_unreachable" },
    ]);
  });

  it("lets go of a server that does not answer before the deadline", async () => {
    const closed = new Promise((resolve) => {
      respond = (request) => request.socket.once("close", resolve);
    });
    for (const part of service.latest.requestParts({
      method: "GET",
      path: "/computer/display/dimensions",
      deadline: Date.now() + 300,
    })) {
      service.latest.send(part);
    }
    await closed;
    expect(service.latest.of("response")).toHaveLength(0);
  });

  it("does not hand the shutdown on", async () => {
    const answer = await service.latest.ask({ path: "/internal/shutdown", body: {} });
    expect(answer.json()).toMatchObject({ status: "shutting_down", pid: process.pid });
    expect(seen).toHaveLength(0);
    expect(await driver.finished).toBe("shutdown");
  });
});
