import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { aPng } from "../../support/pictures/a-png.ts";
import { createTestService } from "../../support/shared/test-service.ts";

const png = Uint8Array.from(aPng({ width: 1, height: 1, bytes: [1, 2, 3] }));

async function screenshot(query: string) {
  const { deps, stores, channel, organizationId, authorize } = await createTestService();
  const connection = { id: "c", websocketId: "w=", host: "h" };
  const { id } = await stores.put.machine({
    organizationId,
    connection,
    capabilities: ["screenshot_settle"],
  });
  const headers = { "content-type": "image/png", "x-screen-settled": "true" };
  channel.willAnswer({ kind: "answered", status: 200, headers, body: png });
  const response = await createComputerApp(deps).request(`/v1/computer/${id}/display/screenshot?${query}`, {
    headers: { authorization: authorize() },
  });
  return { response, asked: channel.requests[0]?.query };
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

  it.each(["settle_ms=-1", "settle_ms=5001", "settle_ms=soon", "cursor=perhaps"])(
    "refuses %s",
    async (query) => {
      const { response, asked } = await screenshot(query);
      expect([response.status, asked]).toEqual([422, undefined]);
    },
  );
});
