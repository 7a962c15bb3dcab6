import { describe, expect, it } from "vitest";
import { jsonAnswer, Refusal } from "../../../infra/driver/answer.ts";
import { settle } from "../../support/fake-service/manual-timing.ts";
import { startDriver } from "../../support/fake-service/start-driver.ts";

const samplePath = "/computer/held";
const octets = { "content-type": "application/octet-stream" };

describe("a request", () => {
  it("reaches the desktop whole, whatever the order of its parts", async () => {
    const { service, desktop } = await startDriver();
    desktop.reply = async ({ body }) => ({ status: 200, headers: octets, body: await body.bytes(100_000) });
    const body = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251));
    const [first, second, third] = service.latest.requestParts({
      path: samplePath,
      query: "a=1&b=%20",
      headers: { "X-Thing": "1" },
      body,
    });
    for (const part of [third, first, third, second]) if (part !== undefined) service.latest.send(part);
    const answer = await service.latest.answerTo(first?.id ?? "");
    expect(answer.body.equals(body)).toBe(true);
    expect(desktop.requests).toHaveLength(1);
    expect(desktop.requests[0]).toMatchObject({ method: "POST", path: samplePath, query: "a=1&b=%20" });
    expect(desktop.requests[0]?.headers).toEqual({ "x-thing": "1" });
  });

  it("that is delivered twice is done once and answered once", async () => {
    const { service, desktop } = await startDriver();
    const [message] = service.latest.requestParts({ method: "GET", path: samplePath });
    if (message === undefined) throw new Error("no message");
    service.latest.send(message);
    service.latest.send(message);
    await settle();
    desktop.release();
    await service.latest.answerTo(message.id);
    service.latest.send(message);
    await settle();
    expect(desktop.requests).toHaveLength(1);
    expect(service.latest.of("response")).toHaveLength(1);
  });

  it("past its deadline is dropped without an answer", async () => {
    const { service, desktop, timing } = await startDriver();
    for (const part of service.latest.requestParts({ path: samplePath, deadline: timing.now() }))
      service.latest.send(part);
    await timing.advance(60_000);
    expect(desktop.requests).toHaveLength(0);
    expect(service.latest.of("response")).toHaveLength(0);
  });

  it("whose deadline passes meanwhile is cancelled and not answered", async () => {
    const { service, desktop, timing } = await startDriver();
    for (const part of service.latest.requestParts({ path: samplePath, deadline: timing.now() + 5_000 })) {
      service.latest.send(part);
    }
    await timing.advance(5_000);
    expect(desktop.requests[0]?.signal.aborted).toBe(true);
    desktop.release();
    await settle();
    expect(service.latest.of("response")).toHaveLength(0);
  });

  it("is judged by the service's clock, which the pong tells", async () => {
    const aheadMs = 3_600_000;
    const { service, desktop, timing } = await startDriver({}, (fake) => {
      Object.assign(fake, {
        now: (
          (now) => () =>
            now() + aheadMs
        )(fake.now),
      });
    });
    const late = service.latest.requestParts({ path: samplePath, deadline: timing.now() + aheadMs - 1 });
    for (const part of late) service.latest.send(part);
    await settle();
    expect(desktop.requests).toHaveLength(0);
    for (const part of service.latest.requestParts({ path: samplePath })) service.latest.send(part);
    await settle();
    expect(desktop.requests).toHaveLength(1);
  });

  it("is judged by the handshake's date before the first pong", async () => {
    const behindMs = -3_600_000;
    const { service, desktop, timing } = await startDriver({}, (fake) => {
      fake.pongs = false;
      fake.dateHeader = 1_700_000_000_000 + behindMs;
    });
    for (const part of service.latest.requestParts({
      path: samplePath,
      deadline: timing.now() + behindMs + 20_000,
    })) {
      service.latest.send(part);
    }
    await settle();
    expect(desktop.requests).toHaveLength(1);
  });

  it("is the fifth in flight: 429 with Retry-After, and asking again later does it", async () => {
    const { service, desktop } = await startDriver();
    const four = Array.from({ length: 4 }, () => service.latest.ask({ path: samplePath }));
    const fifth = await service.latest.ask({ path: samplePath, actionId: "fifth" });
    expect(fifth.status).toBe(429);
    expect(fifth.headers["retry-after"]).toBe("1");
    expect(desktop.requests).toHaveLength(4);
    desktop.release();
    await four[0];
    const again = service.latest.ask({ path: samplePath, actionId: "fifth" });
    await settle();
    expect(desktop.requests).toHaveLength(5);
    for (let held = 0; held < 4; held += 1) desktop.release();
    expect((await again).status).toBe(200);
  });
});

describe("a look that waits", () => {
  const path = "/computer/display/screenshot";
  const look = {
    method: "GET",
    path,
    query: "width=9&wait_ms=10000",
    headers: { "if-none-match": '"a."' },
  } as const;
  const waits = ({ query }: { readonly query: string }) => query.includes("wait_ms");

  it("is none of the four requests in flight", async () => {
    const { service, desktop } = await startDriver();
    const looks = [service.latest.ask(look), service.latest.ask(look)];
    const four = Array.from({ length: 4 }, () => service.latest.ask({ path: samplePath }));
    await settle();
    expect(desktop.requests.map(waits)).toEqual([true, true, false, false, false, false]);
    expect((await service.latest.ask({ path: samplePath })).status).toBe(429);
    for (let held = 0; held < 6; held += 1) desktop.release();
    const answers = await Promise.all([...looks, ...four]);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  it("is one of two; a third is told not to wait, and the next one may again", async () => {
    const { service, desktop } = await startDriver();
    const first = service.latest.ask(look);
    void service.latest.ask(look);
    void service.latest.ask(look);
    await settle();
    expect(desktop.requests.map(({ query }) => query)).toEqual([look.query, look.query, "width=9"]);
    desktop.release();
    await first;
    void service.latest.ask(look);
    await settle();
    expect(desktop.requests.map(waits)).toEqual([true, true, false, true]);
  });

  it("does not wait without a tag, and is then one of the four", async () => {
    const { service, desktop } = await startDriver();
    for (let at = 0; at < 4; at += 1) void service.latest.ask({ ...look, headers: {} });
    expect((await service.latest.ask({ path: samplePath })).status).toBe(429);
    expect(desktop.requests.map(waits)).toEqual([false, false, false, false]);
  });

  it("keeps its tag on the way back", async () => {
    const { service, desktop } = await startDriver();
    desktop.reply = () => ({ status: 304, headers: { etag: '"a."' }, body: new Uint8Array() });
    const answer = await service.latest.ask(look);
    expect([answer.status, answer.headers, answer.body.byteLength]).toEqual([304, { etag: '"a."' }, 0]);
  });
});

describe("a long transfer", () => {
  const long = { headers: { "x-long-transfer": "true" }, actionId: "file" };

  it.each(["GET", "POST"] as const)(
    "of %s goes on past its deadline, and answers who comes back for it",
    async (method) => {
      const { service, desktop, timing } = await startDriver();
      const asked = { method, path: samplePath, ...long };
      for (const part of service.latest.requestParts({ ...asked, deadline: timing.now() + 20_000 })) {
        service.latest.send(part);
      }
      await timing.advance(1_000_000);
      expect(desktop.requests.map(({ signal }) => signal.aborted)).toEqual([false]);
      const again = service.latest.ask(asked);
      await settle();
      desktop.release();
      expect((await again).status).toBe(200);
      expect(desktop.requests).toHaveLength(1);
      expect(service.latest.of("response")).toHaveLength(1);
    },
  );

  it("is given up after half an hour", async () => {
    const { service, desktop, timing } = await startDriver();
    for (const part of service.latest.requestParts({ path: samplePath, ...long })) service.latest.send(part);
    await timing.advance(1_799_000);
    expect(desktop.requests[0]?.signal.aborted).toBe(false);
    await timing.advance(1_000);
    expect(desktop.requests[0]?.signal.aborted).toBe(true);
  });

  it("is none of the four requests in flight", async () => {
    const { service, desktop } = await startDriver();
    for (let at = 0; at < 4; at += 1)
      void service.latest.ask({ path: samplePath, ...long, actionId: `file ${at}` });
    const fifth = service.latest.ask({ path: samplePath });
    await settle();
    expect(desktop.requests).toHaveLength(5);
    for (let held = 0; held < 5; held += 1) desktop.release();
    expect((await fifth).status).toBe(200);
  });
});

describe("an action", () => {
  it("is done once: its id is answered from memory, over the next connection, too", async () => {
    const { service, desktop, timing } = await startDriver();
    desktop.reply = () => jsonAnswer(200, { time: desktop.requests.length });
    const first = await service.latest.ask({ path: samplePath, actionId: "once" });
    service.latest.vanish();
    await timing.advance(1_000);
    const second = await service.latest.ask({ path: samplePath, actionId: "once" });
    const third = await service.latest.ask({ path: samplePath, actionId: "once", repeat: true });
    expect(desktop.requests).toHaveLength(1);
    expect(second.json()).toEqual(first.json());
    expect(third.json()).toEqual({ time: 1 });
  });

  it("that is in flight when its connection breaks answers whoever asks for it next", async () => {
    const { service, desktop, timing } = await startDriver();
    for (const part of service.latest.requestParts({ path: samplePath, actionId: "slow" }))
      service.latest.send(part);
    await settle();
    service.latest.vanish();
    await timing.advance(1_000);
    const again = service.latest.ask({ path: samplePath, actionId: "slow" });
    await settle();
    desktop.release();
    expect((await again).status).toBe(200);
    expect(desktop.requests).toHaveLength(1);
    expect(service.latest.of("response").map(({ reply_to }) => reply_to)).not.toContain("reply-to-slow");
  });

  it("that nobody knows is 409 for a repeat, and is not done", async () => {
    const { service, desktop } = await startDriver();
    const answer = await service.latest.ask({ path: samplePath, actionId: "never", repeat: true });
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ code: "unknown_action", error: expect.any(String) });
    expect(desktop.requests).toHaveLength(0);
  });

  it("is forgotten after 10 minutes", async () => {
    const { service, desktop, timing } = await startDriver();
    desktop.reply = () => jsonAnswer(200, {});
    await service.latest.ask({ path: samplePath, actionId: "old" });
    await timing.advance(599_000);
    expect((await service.latest.ask({ path: samplePath, actionId: "old", repeat: true })).status).toBe(200);
    await timing.advance(1_000);
    expect((await service.latest.ask({ path: samplePath, actionId: "old", repeat: true })).status).toBe(409);
  });

  it("that failed is remembered as failed and not tried again", async () => {
    const { service, desktop } = await startDriver();
    desktop.reply = () => {
      throw new Error("the display is gone");
    };
    const first = await service.latest.ask({ path: samplePath, actionId: "bad" });
    const again = await service.latest.ask({ path: samplePath, actionId: "bad" });
    expect([first.status, again.status]).toEqual([500, 500]);
    expect(first.json()).toEqual({ error: "the display is gone", code: "desktop_failed" });
    expect(desktop.requests).toHaveLength(1);
  });

  it("that fails in the system is answered and logged without the file's name", async () => {
    const { service, desktop, logged } = await startDriver();
    desktop.reply = () => {
      throw Object.assign(new Error("EIO: i/o error, open '/home/me/private'"), { code: "EIO" });
    };
    const answer = await service.latest.ask({ path: samplePath });
    expect(answer.json()).toEqual({ error: "system error EIO", code: "desktop_failed" });
    expect(JSON.stringify(logged)).not.toContain("private");
  });

  it("that only reads is done afresh", async () => {
    const { service, desktop } = await startDriver();
    desktop.reply = () => jsonAnswer(200, { time: desktop.requests.length });
    await service.latest.ask({ method: "GET", path: samplePath, actionId: "read" });
    const again = await service.latest.ask({ method: "GET", path: samplePath, actionId: "read" });
    expect(again.json()).toEqual({ time: 2 });
  });
});

describe("an answer", () => {
  it("goes in parts of 20,000 bytes, headers with the first, reply_to with each", async () => {
    const { service, desktop } = await startDriver();
    const body = Buffer.alloc(60_000, 7);
    desktop.reply = () => ({ status: 200, headers: octets, body });
    const answer = await service.latest.ask({ id: "r1", method: "GET", path: samplePath });
    const parts = service.latest.of("response");
    expect(parts.map(({ part, parts: all, reply_to }) => [part, all, reply_to])).toEqual([
      [0, 3, "reply-to-r1"],
      [1, 3, "reply-to-r1"],
      [2, 3, "reply-to-r1"],
    ]);
    expect(parts.map(({ headers }) => headers)).toEqual([octets, undefined, undefined]);
    expect(answer.body.equals(body)).toBe(true);
    expect(service.latest.oddities).toEqual([]);
  });

  it("above 60,000 bytes without an upload is 413", async () => {
    const { service, desktop } = await startDriver();
    desktop.reply = () => ({ status: 200, headers: octets, body: new Uint8Array(60_001) });
    const answer = await service.latest.ask({ method: "GET", path: samplePath });
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({ code: "answer_too_large" });
  });

  it("carries only the headers that the tunnel knows", async () => {
    const { service, desktop } = await startDriver();
    desktop.reply = () => ({
      status: 200,
      headers: { "content-type": "text/plain", "set-cookie": "a=b", "x-file-path": "x".repeat(2_000) },
      body: Buffer.from("hi"),
    });
    const answer = await service.latest.ask({ method: "GET", path: samplePath });
    expect(answer.headers).toEqual({ "content-type": "text/plain" });
  });

  it("is sent again after 2, 4 and 8 s, only the parts that were not received, until its deadline", async () => {
    const { service, desktop, timing } = await startDriver();
    service.acknowledges = false;
    desktop.reply = () => ({ status: 200, headers: octets, body: new Uint8Array(40_000) });
    await service.latest.ask({ id: "r1", method: "GET", path: samplePath });
    service.latest.send({ type: "received", id: "r1", part: 0 });
    const parts = () => service.latest.of("response").map(({ part }) => part);
    await timing.advance(1_999);
    expect(parts()).toEqual([0, 1]);
    await timing.advance(1);
    await settle();
    expect(parts()).toEqual([0, 1, 1]);
    await timing.advance(4_000);
    await settle();
    expect(parts()).toEqual([0, 1, 1, 1]);
    await timing.advance(8_000);
    await settle();
    expect(parts()).toEqual([0, 1, 1, 1, 1]);
    await timing.advance(60_000);
    expect(parts()).toEqual([0, 1, 1, 1, 1]);
  });

  it("is not sent over another connection than the one that asked", async () => {
    const { service, desktop, timing } = await startDriver();
    for (const part of service.latest.requestParts({ path: samplePath })) service.latest.send(part);
    await settle();
    service.latest.vanish();
    await timing.advance(1_000);
    desktop.release();
    await timing.advance(20_000);
    expect(service.connections).toHaveLength(2);
    expect(service.latest.of("response")).toHaveLength(0);
  });

  it("of one part is sent once, and again when the gateway reports a frame that failed", async () => {
    const { service, desktop, timing } = await startDriver();
    service.acknowledges = false;
    desktop.reply = () => ({ status: 200, headers: octets, body: new Uint8Array(1) });
    await service.latest.ask({ path: samplePath, id: "r1" });
    await timing.advance(5_000);
    expect(service.latest.of("response")).toHaveLength(1);
    await service.latest.ask({ path: samplePath, id: "r2" });
    const report = '{"message":"Internal server error","connectionId":"c","requestId":"r"}';
    service.latest.sendRaw(report);
    service.latest.sendRaw(report);
    await timing.advance(1_000);
    expect(service.latest.of("response").map(({ id }) => id)).toEqual(["r1", "r2", "r1", "r2"]);
  });

  it("is the refusal's status and sentence where a handler refuses", async () => {
    const { service, desktop } = await startDriver();
    desktop.reply = () => {
      throw new Refusal(422, "unknown_key", "no such key");
    };
    const answer = await service.latest.ask({ path: samplePath });
    expect(answer.status).toBe(422);
    expect(answer.json()).toEqual({ error: "no such key", code: "unknown_key" });
  });
});

describe("a frame", () => {
  it.each([
    ['{"message":"Internal server error","connectionId":"c","requestId":"r"}'],
    ["no JSON"],
    ["[]"],
    ['{"type":1}'],
    ['{"type":"error","code":"x","message":"y"}'],
    ['{"type":"error"}'],
  ])("%s is not answered", async (text) => {
    const { service } = await startDriver();
    const before = service.latest.messages.length;
    service.latest.sendRaw(text);
    await settle();
    expect(service.latest.messages).toHaveLength(before);
    expect(service.latest.closedWith).toBeUndefined();
  });

  it("of an unknown type is answered with an error", async () => {
    const { service } = await startDriver();
    service.latest.sendRaw('{"type":"surprise"}');
    await settle();
    expect(service.latest.of("error")).toMatchObject([{ code: "unknown_type" }]);
  });

  it("that is malformed is answered with an error that names the request", async () => {
    const { service } = await startDriver();
    service.latest.sendRaw('{"type":"request","id":"r9","part":0}');
    await settle();
    expect(service.latest.of("error")).toMatchObject([{ code: "malformed", id: "r9" }]);
  });

  it("with fields that nobody knows is understood", async () => {
    const { service, desktop } = await startDriver();
    const [message] = service.latest.requestParts({ path: samplePath });
    service.latest.sendRaw(JSON.stringify({ ...message, colour: "blue" }));
    await settle();
    expect(desktop.requests).toHaveLength(1);
  });
});

describe("a shutdown", () => {
  it("is answered first, as already under way after that, and ends the driver 250 ms later", async () => {
    const underTest = await startDriver();
    const { service, timing } = underTest;
    const body = { source: "cloud-api", reason: "maintenance" };
    const first = await service.latest.ask({ path: "/internal/shutdown", body });
    expect(first.status).toBe(200);
    expect(first.json()).toEqual({
      status: "shutting_down",
      pid: 4242,
      reason: "maintenance",
      source: "cloud-api",
    });
    const second = await service.latest.ask({ path: "/internal/shutdown", body });
    expect(second.json()).toMatchObject({ status: "already_shutting_down", pid: 4242 });
    const other = await service.latest.ask({ path: samplePath });
    expect(other.status).toBe(503);
    await timing.advance(249);
    expect(underTest.end).toBeUndefined();
    await timing.advance(1);
    await settle();
    expect(underTest.end).toBe("shutdown");
    expect(service.latest.closedWith).toBe(1000);
  });

  it("is taken while four requests are in flight", async () => {
    const { service } = await startDriver();
    for (let held = 0; held < 4; held += 1)
      void service.latest.ask({ path: samplePath }).catch(() => undefined);
    expect((await service.latest.ask({ path: "/internal/shutdown", body: {} })).status).toBe(200);
  });

  it("with a bad body is refused and ends nothing", async () => {
    const underTest = await startDriver();
    const answer = await underTest.service.latest.ask({ path: "/internal/shutdown", body: { source: "" } });
    expect(answer.status).toBe(422);
    await underTest.timing.advance(1_000);
    expect(underTest.end).toBeUndefined();
  });
});

describe("the log", () => {
  it("never shows a body, a query or the credential", async () => {
    const { service, desktop, logged } = await startDriver();
    desktop.reply = async ({ body }) =>
      jsonAnswer(200, { echo: Buffer.from(await body.bytes(1_000)).toString() });
    await service.latest.ask({
      path: samplePath,
      query: "path=query-secret",
      body: { text: "typed-secret" },
    });
    service.latest.sendRaw('{"message":"frame-secret"}');
    await settle();
    expect(logged.length).toBeGreaterThan(1);
    expect(JSON.stringify(logged)).not.toMatch(/secret|key-under-test/);
  });
});
