import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import type { Scope } from "../../../shared/vocabulary/access.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { createTestService } from "../../support/shared/test-service.ts";

async function statusOf(path: string, scopes: readonly Scope[]) {
  const service = await createTestService();
  const { id } = await service.putMachine({ connection: { id: "c", websocketId: "w", host: "h" } });
  service.channel.willAnswer(answered(200, "{}"));
  const { status } = await createComputerApp(service.deps).request(`/v1/computer/${id}/${path}`, {
    headers: { authorization: service.authorize({ scopes }) },
  });
  return { status, calls: service.channel.requests.length };
}

describe.each(["fs/list", "fs/read?path=.ssh/id_ed25519", "fs/read?path=das.key&as=url"])("%s", (path) => {
  it("is refused to a key that may only look, and the desktop hears nothing", async () => {
    expect(await statusOf(path, ["read"])).toEqual({ status: 403, calls: 0 });
  });

  it.each(["write", "worker"] as const)("reaches the desktop with %s", async (scope) => {
    expect((await statusOf(path, [scope])).calls).toBe(1);
  });
});
