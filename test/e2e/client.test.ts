import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type ApiClient, createApiClient } from "../../shared/client/api-client.ts";
import { ApiError } from "../../shared/client/api-error.ts";
import { createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";

let organization: Organization;
let client: ApiClient;

beforeAll(async () => {
  organization = await createOrganization();
  client = clientWith(keyOf(organization, "full"));
});

function clientWith(credentials: string, doFetch: typeof fetch = fetch): ApiClient {
  return createApiClient({ baseUrl: inject("stack").baseUrl, credentials, fetch: doFetch });
}

describe("the typed client against the stack", () => {
  it("makes, reads, changes, lists and deletes a machine", async () => {
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

  it("makes one machine, though the answer of its first attempt was lost", async () => {
    let attempts = 0;
    const losing: typeof fetch = async (...args) => {
      attempts += 1;
      const response = await fetch(...args);
      if (attempts > 1) return response;
      await response.arrayBuffer();
      throw new TypeError("the connection was lost");
    };
    const fingerprint = randomUUID();
    const made = await clientWith(keyOf(organization, "full"), losing).call("createMachine", {
      body: { fingerprint },
    });
    expect(attempts).toBe(2);
    const listed = await client.call("listMachines");
    expect(listed.items.filter((machine) => machine.fingerprint === fingerprint).map(({ id }) => id)).toEqual(
      [made.id],
    );
  });
});
