import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { DriverAnswer } from "../../../shared/domain/tunnel/driver-channel.ts";
import { aPng } from "../../support/pictures/a-png.ts";
import { createTestService } from "../../support/shared/test-service.ts";

const png = Uint8Array.from(aPng({ width: 1, height: 1, bytes: [1, 2, 3] }));

const tag = '"1x1-abc."';

interface Options {
  readonly capabilities?: Machine["capabilities"];
  readonly has?: string;
  readonly answer?: Partial<Extract<DriverAnswer, { readonly kind: "answered" }>>;
  /** Looks that wait on the machine's connection already. */
  readonly waiting?: number;
}

async function screenshot(query: string, options: Options = {}) {
  const { capabilities = ["screenshot_settle"], has, answer, waiting = 0 } = options;
  const { deps, stores, channel, organizationId, authorize } = await createTestService();
  const connection = { id: "c", websocketId: "w=", host: "h" };
  const { id } = await stores.put.machine({ organizationId, connection, capabilities });
  const leaseUntilMs = stores.clock.now() + 1;
  const others = Array.from({ length: waiting }, () => ({
    organizationId,
    holder: connection.id,
    id: stores.ids.uuid7(),
    leaseUntilMs,
  }));
  for (const other of others) expect(await stores.lookPlaces.take(other)).toBeDefined();
  const headers = { "content-type": "image/png", "x-screen-settled": "true" };
  channel.willAnswer({ kind: "answered", status: 200, headers, body: png, ...answer });
  const request = channel.request.bind(channel);
  channel.request = async (asked) => {
    stores.clock.advance(asked.waitMs ?? 0);
    return await request(asked);
  };
  const response = await createComputerApp(deps).request(`/v1/computer/${id}/display/screenshot?${query}`, {
    headers: { authorization: authorize(), ...(has !== undefined && { "if-none-match": has }) },
  });
  const [asked] = channel.requests;
  const free = { organizationId, holder: connection.id, id: stores.ids.uuid7(), leaseUntilMs };
  return {
    response,
    asked: asked?.query,
    sent: asked,
    etag: response.headers.get("etag"),
    retryAfter: response.headers.get("retry-after"),
    hasRoom: async () => (await stores.lookPlaces.take(free)) !== undefined,
  };
}

describe("GET display/screenshot", () => {
  it("says in a header whether the screen was still, where settle_ms asked for it", async () => {
    const { response, asked } = await screenshot("width=640&settle_ms=500&cursor=true");
    expect([response.status, response.headers.get("x-screen-settled")]).toEqual([200, "true"]);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
    expect(asked).toBe("width=640&settle_ms=500&cursor=true");
  });

  it("neither waits nor says so by default", async () => {
    const { response, asked } = await screenshot("");
    expect([response.status, response.headers.has("x-screen-settled")]).toEqual([200, false]);
    expect(asked).toBe("");
  });

  it.each([
    "wait_ms=-1",
    "wait_ms=10001",
    "wait_ms=soon",
    "settle_ms=-1",
    "settle_ms=5001",
    "settle_ms=soon",
    "cursor=perhaps",
  ])("refuses %s", async (query) => {
    const { response, asked } = await screenshot(query);
    expect([response.status, asked]).toEqual([422, undefined]);
  });

  it("waits in the driver for what differs from the picture that the caller names, with no place of an action", async () => {
    const capabilities = ["screenshot_settle", "screenshot_wait"] as const;
    const answer = { headers: { etag: tag } };
    const options = { capabilities, has: '"1x1-old."', answer, waiting: 1 };
    const { response, sent, etag, hasRoom } = await screenshot("width=9&wait_ms=10000", options);
    expect(sent).toMatchObject({
      query: "width=9&wait_ms=10000",
      headers: { "if-none-match": '"1x1-old."' },
      waitMs: 10_000,
      timeoutMs: 25_000,
    });
    expect([response.status, etag]).toEqual([200, tag]);
    expect(await hasRoom()).toBe(true);
  });

  it.each([
    ["the time is over", {}, null],
    ["two wait already, and it did not", { waiting: 2 }, "2"],
  ])("is 304 without a body when the screen is the same: %s", async (_, more, pause) => {
    const capabilities = ["screenshot_wait"] as const;
    const answer = { status: 304, headers: { etag: tag }, body: new Uint8Array() };
    const options = { capabilities, has: tag, answer, ...more };
    const { response, sent, etag, retryAfter } = await screenshot("wait_ms=10000", options);
    expect([response.status, etag, retryAfter]).toEqual([304, tag, pause]);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
    expect(sent).toMatchObject(
      pause === null
        ? { query: "wait_ms=10000", waitMs: 10_000 }
        : { query: "", waitMs: 0, headers: { "if-none-match": tag } },
    );
  });

  it("names the pictures of a driver that does not by their bytes, and answers at once", async () => {
    const first = await screenshot("");
    expect(first.etag).toMatch(/^"[\w-]{22}"$/);
    const has = first.etag ?? "";
    const again = await screenshot("wait_ms=10000", { has });
    expect([again.response.status, again.etag, again.retryAfter]).toEqual([304, has, "2"]);
    expect(again.sent).toMatchObject({ query: "", headers: {}, waitMs: 0 });
    const other = await screenshot("wait_ms=10000", { has: `W/${tag}, "b"` });
    expect([other.response.status, other.etag, other.retryAfter]).toEqual([200, has, null]);
  });

  it("answers at once without a picture to compare with", async () => {
    const capabilities = ["screenshot_wait"] as const;
    for (const has of [undefined, "", "none"]) {
      const { response, sent } = await screenshot("wait_ms=10000", { capabilities, ...(has && { has }) });
      expect([response.status, sent?.query, sent?.waitMs]).toEqual([200, "", 0]);
    }
  });

  it("takes a driver's 304 for a failure where no picture was named", async () => {
    const answer = { status: 304, body: new Uint8Array() };
    const { response } = await screenshot("", { capabilities: ["screenshot_wait"], answer });
    expect(response.status).toBe(502);
  });
});
