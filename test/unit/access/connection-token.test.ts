import { expect, it } from "vitest";
import { apps } from "../../support/shared/every-operation.ts";
import { createTestService } from "../../support/shared/test-service.ts";

it("POST /api/driver/connection-token needs no credentials, and refuses bad ones", async () => {
  const { deps, authorize } = await createTestService();
  const app = apps.driver(deps);
  const statusFor = async (authorization?: string) => {
    const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
    const body = JSON.stringify({ remotePeerId: "peer-1" });
    return (await app.request("/api/driver/connection-token", { method: "POST", headers, body })).status;
  };
  const good = authorize();
  expect([await statusFor(), await statusFor(good)]).toEqual([200, 200]);
  const changed = good.slice(0, -1) + (good.endsWith("A") ? "B" : "A");
  expect([await statusFor(changed), await statusFor("Bearer das_nothing")]).toEqual([401, 401]);
});
