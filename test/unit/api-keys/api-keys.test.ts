import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createApiKeysApp } from "../../../functions/api-keys/app.ts";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { ApiKeyList, CreatedApiKey } from "../../../shared/contract/api-key.ts";
import { apiKeysMax } from "../../../shared/domain/access/create-api-key.ts";
import { CachedKeyVerifier } from "../../../shared/secrets/cached-key-verifier.ts";
import { anApiKey } from "../../support/builders/entities.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const path = "/v1/api-keys";
const careful = { name: "Nightly jobs", scopes: ["read", "write"] };

async function setUp() {
  const service = await createTestService();
  const { stores, organizationId } = service;
  const stored = new CachedKeyVerifier({ apiKeys: stores.apiKeys, clock: stores.clock });
  const keyVerifier = {
    verify: async (text: string) =>
      (await service.deps.keyVerifier.verify(text)) ?? (await stored.verify(text)),
  };
  const deps = { ...service.deps, keyVerifier };
  const [keys, machines] = [createApiKeysApp(deps), createMachinesApp(deps)];
  const admin = service.authorize({ scopes: ["admin"] });
  const ask = asking((at) => (at.startsWith(path) ? keys : machines), admin);
  const make = async (fields = {}) =>
    CreatedApiKey.parse((await ask("POST", path, { ...careful, ...fields })).json);
  const list = async (query = "") => ApiKeyList.parse((await ask("GET", `${path}${query}`)).json);
  const use = async (text: string) =>
    (await ask("GET", "/v1/machines", undefined, { authorization: `Bearer ${text}` })).status;
  const table = () =>
    JSON.stringify([...stores.model.items.all()], (_name, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    );
  return { ...service, stores, organizationId, ask, make, list, use, table };
}

describe("POST /v1/api-keys", () => {
  it("makes a key that works at once, and shows its text this once", async () => {
    const { make, list, use, stores, log, table } = await setUp();
    const { api_key: text, ...key } = await make();
    expect(text).toMatch(new RegExp(`^das_${key.id.replaceAll("-", "")}_[0-9A-Za-z]{49}$`));
    expect(key).toMatchObject({ ...careful, expires_at: null, last_used_at: null, last4: text.slice(-4) });
    expect(await use(text)).toBe(200);
    const listed = await list();
    const hour = `${new Date(stores.clock.now()).toISOString().slice(0, 13)}:00:00.000Z`;
    expect(listed).toMatchObject({ total: 1, items: [{ ...key, last_used_at: hour }] });
    const secret = text.split("_")[2] ?? "";
    for (const said of [JSON.stringify(listed), log.text(), table()]) {
      expect(said).not.toContain(secret);
    }
  });

  it("answers a repeat with the same text, which is on record encrypted", async () => {
    const { ask, list, table } = await setUp();
    const headers = { "idempotency-key": randomUUID() };
    const first = await ask("POST", path, careful, headers);
    const { status, json } = await ask("POST", path, careful, headers);
    expect([status, json]).toEqual([first.status, first.json]);
    expect((await list()).total).toBe(1);
    expect(table()).not.toContain(first.json.api_key.split("_")[2]);
  });

  it("makes one that expires, and not one that has", async () => {
    const { ask, make, use, stores } = await setUp();
    const inAnHour = new Date(stores.clock.now() + 3_600_000).toISOString();
    const { api_key: text, expires_at } = await make({ expires_at: inAnHour });
    expect([expires_at, await use(text)]).toEqual([inAnHour, 200]);
    stores.clock.advance(3_600_000);
    expect(await use(text)).toBe(401);
    const { status, json } = await ask("POST", path, { ...careful, expires_at: inAnHour });
    expect([status, json.detail[0].loc, json.detail[0].type]).toEqual([
      422,
      ["body", "expires_at"],
      "value_error",
    ]);
  });

  it.each([
    [{ scopes: ["read", "operator"] }, ["body", "scopes", 1], "enum"],
    [{ scopes: [] }, ["body", "scopes"], "too_short"],
    [{ name: "" }, ["body", "name"], "string_too_short"],
    [{ name: "x".repeat(256) }, ["body", "name"], "string_too_long"],
    [{ expires_at: "tomorrow" }, ["body", "expires_at"], "datetime_parsing"],
  ])("refuses %j", async (fields, loc, type) => {
    const { ask } = await setUp();
    const { status, json } = await ask("POST", path, { ...careful, ...fields });
    expect([status, json.detail[0].loc, json.detail[0].type]).toEqual([422, loc, type]);
  });

  it("takes a scope that is given twice once, and gives admin to another", async () => {
    const { make, ask } = await setUp();
    const { scopes, api_key: text } = await make({ scopes: ["admin", "read", "admin"] });
    expect(scopes).toEqual(["admin", "read"]);
    const authorization = { authorization: `Bearer ${text}` };
    expect((await ask("POST", path, careful, authorization)).status).toBe(201);
    expect((await ask("POST", "/v1/machines", { fingerprint: randomUUID() }, authorization)).status).toBe(
      201,
    );
  });

  it("is for a dashboard session too, in its user's name", async () => {
    const { ask, identity } = await setUp();
    const authorization = `Bearer ${await identity.token({ sub: v7(), org_id: "org_a" })}`;
    const { status, json } = await ask("POST", path, careful, { authorization });
    expect(status).toBe(201);
    const { items } = (await ask("GET", path, undefined, { authorization })).json;
    expect(items).toMatchObject([{ id: json.id, user_id: json.user_id }]);
  });

  it("makes no more than a thousand", async () => {
    const { ask, stores, organizationId } = await setUp();
    for (let made = 0; made < apiKeysMax; made += 1) {
      await stores.apiKeys.create(anApiKey({ organizationId }));
    }
    const { status, json } = await ask("POST", path, careful);
    expect([status, json.error_code, json.details]).toEqual([409, "limit_reached", { max: 1_000 }]);
  });
});

describe("GET /v1/api-keys", () => {
  it("lists them newest first, by pages, without the revoked ones", async () => {
    const { make, list, stores, organizationId } = await setUp();
    const operators = anApiKey({ organizationId, scopes: ["operator"], last4: null });
    const revoked = anApiKey({ organizationId });
    for (const key of [operators, revoked, anApiKey()]) await stores.apiKeys.create(key);
    await stores.apiKeys.revoke(revoked.id, new Date(stores.clock.now()).toISOString());
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) {
      stores.clock.advance(1_000);
      ids.unshift((await make()).id);
    }
    const all = await list();
    expect(all.total).toBe(4);
    expect(all.items.filter(({ id }) => ids.includes(id)).map(({ id }) => id)).toEqual(ids);
    const page = await list("?skip=1&limit=2");
    expect(page).toEqual({ items: all.items.slice(1, 3), total: 4, skip: 1, limit: 2 });
  });
});

describe("DELETE /v1/api-keys/{api_key_id}", () => {
  it("refuses the key within 30 s, also the one that asks, and is 404 from then on", async () => {
    const { ask, make, use, list, stores } = await setUp();
    const { id, api_key: text } = await make({ scopes: ["admin", "read"] });
    expect(await use(text)).toBe(200);
    const own = { authorization: `Bearer ${text}` };
    expect((await ask("DELETE", `${path}/${id}`, undefined, own)).status).toBe(204);
    stores.clock.advance(30_000);
    expect(await use(text)).toBe(401);
    expect((await list()).total).toBe(0);
    expect((await ask("DELETE", `${path}/${id}`)).status).toBe(404);
  });

  it("takes a key of the operator's program, but for one that is the operator's own", async () => {
    const { ask, stores, organizationId } = await setUp();
    const [key, operators] = [
      anApiKey({ organizationId }),
      anApiKey({ organizationId, scopes: ["read", "operator"] }),
    ];
    for (const each of [key, operators]) await stores.apiKeys.create(each);
    expect((await ask("DELETE", `${path}/${key.id}`)).status).toBe(422);
    const uuid = (id: string) => id.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    expect((await ask("DELETE", `${path}/${uuid(key.id)}`)).status).toBe(204);
    const refused = await ask("DELETE", `${path}/${uuid(operators.id)}`);
    expect([refused.status, refused.json.error_code]).toEqual([409, "conflict"]);
    expect(await stores.apiKeys.find(operators.id)).toEqual(operators);
  });
});
