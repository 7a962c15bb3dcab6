import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { Machine, MachineList } from "../../../shared/contract/machine.ts";
import { mintApiKey } from "../../../shared/secrets/api-key-text.ts";
import { CachedKeyVerifier } from "../../../shared/secrets/cached-key-verifier.ts";
import { anApiKey } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { createTestService } from "../../support/shared/test-service.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const tableOf = useTable();

/** The machines' route group over DynamoDB Local, on an instance that has answered a request before. */
async function warmInstance() {
  const { deps, organizationId } = await createTestService();
  const { clock } = deps;
  const stores = tableStores({ table: tableOf().at(clock), clock });
  const { apiKeys } = stores;
  const { id, text, digest } = mintApiKey();
  await apiKeys.create(anApiKey({ id, organizationId, secretDigest: digest }));
  const app = createMachinesApp({
    ...deps,
    ...stores,
    keyVerifier: new CachedKeyVerifier({ apiKeys, clock }),
  });
  const ask = async (method: string, path: string, body?: unknown, key?: string) => {
    tableOf().take();
    const response = await app.request(path, {
      method,
      headers: {
        authorization: `Bearer ${text}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const calls = tableOf().take();
    const answer = await response.text();
    return { status: response.status, calls, json: answer === "" ? undefined : JSON.parse(answer) };
  };
  const create = async () =>
    Machine.parse((await ask("POST", "/v1/machines", { fingerprint: randomUUID() })).json);
  await ask("GET", "/v1/machines");
  return { ask, create };
}

describe("calls to DynamoDB on a warm instance", () => {
  it("reads a machine with one", async () => {
    const { ask, create } = await warmInstance();
    const { id } = await create();
    expect(await ask("GET", `/v1/machines/${id}`)).toMatchObject({ status: 200, calls: ["GetItem"] });
  });

  it("lists a page with one query, one batch get and one query for the total", async () => {
    const { ask, create } = await warmInstance();
    await create();
    await create();
    const { calls, json } = await ask("GET", "/v1/machines");
    expect(MachineList.parse(json).total).toBe(2);
    expect([...calls].sort()).toEqual(["BatchGetItem", "Query", "Query"]);
  });

  it("creates with one transaction, also under an Idempotency-Key", async () => {
    const { ask } = await warmInstance();
    const plain = await ask("POST", "/v1/machines", { fingerprint: randomUUID() });
    expect(plain).toMatchObject({ status: 201, calls: ["TransactWriteItems"] });
    const keyed = await ask("POST", "/v1/machines", { fingerprint: randomUUID() }, "k");
    expect(keyed.status).toBe(201);
    expect(keyed.calls.length).toBeLessThanOrEqual(2);
  });

  it("changes with one conditional write, and with two calls under an Idempotency-Key", async () => {
    const { ask, create } = await warmInstance();
    const { id } = await create();
    const plain = await ask("PATCH", `/v1/machines/${id}`, { name: "a", status: "error" });
    expect(plain).toMatchObject({ status: 200, calls: ["UpdateItem"], json: { name: "a", status: "error" } });
    const keyed = await ask("PATCH", `/v1/machines/${id}`, { name: "b" }, "k");
    expect(keyed).toMatchObject({ status: 200, json: { name: "b" } });
    expect(keyed.calls.length).toBeLessThanOrEqual(2);
  });

  it("deletes with one transaction, and with two calls at most under an Idempotency-Key", async () => {
    const { ask, create } = await warmInstance();
    const [one, other] = [await create(), await create()];
    const plain = await ask("DELETE", `/v1/machines/${one.id}`);
    const keyed = await ask("DELETE", `/v1/machines/${other.id}`, undefined, "k");
    expect([plain.status, keyed.status]).toEqual([204, 204]);
    expect(plain.calls).toEqual(["TransactWriteItems"]);
    expect(keyed.calls.length).toBeLessThanOrEqual(2);
  });

  it("changes secrets with a read before the write, and an idempotency record before the secret", async () => {
    const { ask, create } = await warmInstance();
    const { id } = await create();
    const body = { machine_sensitive_parameters: { pin: "0000" } };
    // The call between read and write counts the organization's writes of secrets.
    const plain = await ask("PATCH", `/v1/machines/${id}`, body);
    expect(plain.calls).toEqual(["GetItem", "UpdateItem", "UpdateItem"]);
    const keyed = await ask("PATCH", `/v1/machines/${id}`, body, "k");
    expect([keyed.status, keyed.calls.length]).toEqual([200, 4]);
    const repeat = await ask("PATCH", `/v1/machines/${id}`, body, "k");
    expect([repeat.status, repeat.json]).toEqual([200, keyed.json]);
  });
});
