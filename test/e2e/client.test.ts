import { randomUUID } from "node:crypto";
import { expect, inject, it } from "vitest";
import { createApiClient } from "../../shared/client/api-client.ts";
import { ApiError } from "../../shared/client/api-error.ts";
import { createOrganization, keyOf } from "../support/stack/stack-client.ts";

it("the typed client makes, reads, changes, lists and deletes a machine of the stack", async () => {
  const client = createApiClient({
    baseUrl: inject("stack").baseUrl,
    credentials: keyOf(await createOrganization(), "full"),
  });
  const made = await client.call("createMachine", {
    body: { fingerprint: randomUUID(), name: "client" },
  });
  const path = { machine_id: made.id };
  expect((await client.call("getMachine", { path })).name).toBe("client");
  const changed = await client.call("updateMachine", { path, body: { name: "client 2" } });
  expect(changed.name).toBe("client 2");
  const found = await client.call("listMachines", { query: { search: "CLIENT 2", limit: 5 } });
  expect(found.items.map(({ id }) => id)).toEqual([made.id]);
  expect(await client.call("deleteMachine", { path })).toBeUndefined();
  const error = await client.call("getMachine", { path }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, errorCode: "not_found", requestId: expect.any(String) });
});
