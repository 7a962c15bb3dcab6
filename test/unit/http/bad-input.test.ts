import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { safeHeaders } from "../../../shared/http/safe-headers.ts";
import { unsignedToken } from "../../support/shared/test-issuer.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

/** Stands in every body below where a secret could: it must be in no answer and in no log line. */
const secret = "s3cret-t0p-s3cret";

const json = { "content-type": "application/json" };

async function send(service: TestService, method: string, path: string, init: RequestInit) {
  const app = createMachinesApp(service.deps);
  const headers = new Headers(init.headers);
  if (!headers.has("authorization")) headers.set("authorization", service.authorize());
  const response = await app.request(path, { ...init, method, headers });
  const text = await response.text();
  expect(text + service.log.text()).not.toContain(secret);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(Object.fromEntries(response.headers)).toMatchObject(safeHeaders);
  return { status: response.status, text };
}

async function sendBody(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) {
  const service = await createTestService();
  const { id } = await service.putMachine();
  return send(service, "PATCH", `/v1/machines/${id}`, { body, headers });
}

async function itemsOf(body: unknown) {
  const { status, text } = await sendBody(JSON.stringify(body));
  expect(status).toBe(422);
  return ValidationErrorBody.parse(JSON.parse(text)).detail;
}

const manyParameters = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, index]));

describe("a body that is no JSON", () => {
  it.each([
    ['{"name": ', 9],
    ['{"name": nope}', 9],
    [`{"name": "${secret}" "version": 1}`, 29],
    ['{"name": "a",}', 13],
    ["{'name': 1}", 1],
    ['{"name": "a"} x', 14],
    ['{"name": "\\x"}', 9],
    ['{"a": [1, 2}', 11],
    ['{"n": 01}', 7],
    ["\u0000", 0],
  ])("answers %j with json_invalid at character %i", async (body, position) => {
    const { status, text } = await sendBody(body);
    expect(status).toBe(422);
    const [item] = ValidationErrorBody.parse(JSON.parse(text)).detail;
    expect(item).toMatchObject({ loc: ["body", position], type: "json_invalid", msg: "JSON decode error" });
    expect(item).not.toHaveProperty("input");
  });

  it("answers bytes that are no UTF-8 the same way", async () => {
    const { status, text } = await sendBody(new Uint8Array([0x22, 0xff, 0x22]));
    expect([status, JSON.parse(text).detail[0].type]).toEqual([422, "json_invalid"]);
  });

  it("answers a body nested beyond all use the same way", async () => {
    const { status, text } = await sendBody(
      `{"machine_parameters": {"a": ${"[".repeat(5_000)}${"]".repeat(5_000)}}}`,
    );
    expect([status, JSON.parse(text).detail[0].type]).toEqual([422, "json_invalid"]);
  });

  it("answers another content type with the header's name", async () => {
    const { status, text } = await sendBody(`name=${secret}`, {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(status).toBe(422);
    expect(ValidationErrorBody.parse(JSON.parse(text)).detail).toEqual([
      {
        loc: ["header", "content-type"],
        msg: "Input should be 'application/json'",
        type: "literal_error",
        input: "application/x-www-form-urlencoded",
        ctx: { expected: "'application/json'" },
      },
    ]);
  });

  it("takes a body without a content type, and one with parameters", async () => {
    const bytes = new TextEncoder().encode('{"name":"a"}');
    expect((await sendBody(bytes, {})).status).toBe(200);
    expect((await sendBody(bytes, { "content-type": "Application/JSON; charset=utf-8" })).status).toBe(200);
  });

  it("answers a missing body where one is needed", async () => {
    expect(await sendBody("")).toMatchObject({ status: 422 });
  });

  it("answers 413 to a body over the limit", async () => {
    const { status, text } = await sendBody(JSON.stringify({ name: "x".repeat(1_048_577) }));
    expect([status, ErrorBody.parse(JSON.parse(text)).error_code]).toEqual([413, "payload_too_large"]);
  });
});

describe("fields that are wrong", () => {
  it.each([
    ["an unknown field", { nickname: secret }, ["body", "nickname"], "extra_forbidden"],
    ["a number for a string", { name: 5 }, ["body", "name"], "string_type"],
    ["an empty string", { name: "" }, ["body", "name"], "string_too_short"],
    ["a long string", { hostname: "x".repeat(256) }, ["body", "hostname"], "string_too_long"],
    ["os_info above 1,024", { os_info: "x".repeat(1025) }, ["body", "os_info"], "string_too_long"],
    [
      "null where it is a value",
      { machine_sensitive_parameters: { pin: null } },
      ["body", "machine_sensitive_parameters", "pin"],
      "string_type",
    ],
    ["text for a boolean", { is_available: "true" }, ["body", "is_available"], "bool_type"],
    [
      "a session id that is no UUID",
      { reserved_session_id: "1" },
      ["body", "reserved_session_id"],
      "uuid_parsing",
    ],
    ["a status there is none of", { status: "idle" }, ["body", "status"], "enum"],
    [
      "a moment without offset",
      { last_seen: "2026-01-01T00:00:00" },
      ["body", "last_seen"],
      "timezone_aware",
    ],
    ["a moment that is none", { last_seen: "yesterday" }, ["body", "last_seen"], "datetime_parsing"],
    [
      "the 30th of February",
      { last_seen: "2026-02-30T00:00:00Z" },
      ["body", "last_seen"],
      "datetime_parsing",
    ],
    ["a year before 1970", { last_seen: "0001-01-01T00:00:00Z" }, ["body", "last_seen"], "datetime_parsing"],
    ["a list for an object", { machine_parameters: [] }, ["body", "machine_parameters"], "dict_type"],
    ["101 parameters", { machine_parameters: manyParameters }, ["body", "machine_parameters"], "too_long"],
    [
      "64 KB of parameters",
      { machine_parameters: { a: "x".repeat(65_536) } },
      ["body", "machine_parameters"],
      "value_error",
    ],
    [
      "a parameter without a name",
      { machine_parameters: { "": 1 } },
      ["body", "machine_parameters", ""],
      "string_too_short",
    ],
    [
      "a secret that is no string",
      { machine_sensitive_parameters: { pin: { is: secret } } },
      ["body", "machine_sensitive_parameters", "pin"],
      "string_type",
    ],
    [
      "a secret in the place of all",
      { machine_sensitive_parameters: secret },
      ["body", "machine_sensitive_parameters"],
      "dict_type",
    ],
    ["half a surrogate pair", { name: "\ud800" }, ["body", "name"], "string_unicode"],
    ["a list as the body", [], ["body"], "dict_type"],
  ])("names %s", async (_what, body, loc, type) => {
    expect(await itemsOf(body)).toMatchObject([{ loc, type }]);
  });

  it("refuses a number that no double holds", async () => {
    const { status, text } = await sendBody('{"machine_parameters": {"a": 1e999}}');
    expect(status).toBe(422);
    expect(JSON.parse(text).detail).toMatchObject([
      { loc: ["body", "machine_parameters", "a"], type: "finite_number" },
    ]);
  });

  it("refuses the name __proto__", async () => {
    const { status, text } = await sendBody('{"machine_parameters": {"__proto__": {"a": 1}}}');
    expect([status, JSON.parse(text).detail[0].type]).toEqual([422, "value_error"]);
  });

  it("names everything that is wrong in one answer, with what was sent and what would be right", async () => {
    const items = await itemsOf({ name: "x".repeat(300), status: "idle", extra: true });
    expect(items).toEqual([
      {
        loc: ["body", "name"],
        msg: "String should have at most 255 characters",
        type: "string_too_long",
        input: `${"x".repeat(100)}…`,
        ctx: { max_length: 255 },
      },
      {
        loc: ["body", "status"],
        msg: "Input should be 'connected', 'disconnected' or 'error'",
        type: "enum",
        input: "idle",
        ctx: { expected: "'connected', 'disconnected' or 'error'" },
      },
      { loc: ["body", "extra"], msg: "Extra inputs are not permitted", type: "extra_forbidden" },
    ]);
  });

  it("says what is missing", async () => {
    const service = await createTestService();
    const { status, text } = await send(service, "POST", "/v1/machines", { body: "{}", headers: json });
    expect(status).toBe(422);
    expect(JSON.parse(text)).toEqual({
      detail: [{ loc: ["body", "fingerprint"], msg: "Field required", type: "missing" }],
    });
  });
});

describe("paths and queries that are wrong", () => {
  it.each([
    ["/v1/machines/7", ["path", "machine_id"], "uuid_parsing"],
    [`/v1/machines/${"x".repeat(3_000)}`, ["path", "machine_id"], "uuid_parsing"],
    ["/v1/machines/%ff", ["path", "machine_id"], "uuid_parsing"],
    ["/v1/machines?limit=0", ["query", "limit"], "greater_than_equal"],
    ["/v1/machines?limit=1001", ["query", "limit"], "less_than_equal"],
    ["/v1/machines?limit=ten", ["query", "limit"], "int_parsing"],
    ["/v1/machines?limit=1.5", ["query", "limit"], "int_parsing"],
    ["/v1/machines?limit=", ["query", "limit"], "int_parsing"],
    ["/v1/machines?limit=1&limit=2", ["query", "limit"], "string_type"],
    ["/v1/machines?skip=-1", ["query", "skip"], "greater_than_equal"],
    ["/v1/machines?status=idle", ["query", "status"], "enum"],
    ["/v1/machines?created_at_from=today", ["query", "created_at_from"], "datetime_parsing"],
    ["/v1/machines?include=", ["query", "include", 0], "literal_error"],
    ["/v1/machines?serach=x", ["query", "serach"], "extra_forbidden"],
    [`/v1/machines/${randomUUID()}?verbose=1`, ["query", "verbose"], "extra_forbidden"],
  ])("names what is wrong with %s", async (path, loc, type) => {
    const { status, text } = await send(await createTestService(), "GET", path, {});
    expect(status).toBe(422);
    expect(ValidationErrorBody.parse(JSON.parse(text)).detail).toMatchObject([{ loc, type }]);
  });

  it("takes an id in capitals", async () => {
    const service = await createTestService();
    const { id } = await service.putMachine();
    expect(await send(service, "GET", `/v1/machines/${id.toUpperCase()}`, {})).toMatchObject({ status: 200 });
  });

  it.each([
    ["/v1/machinery", "/docs has all that there are"],
    ["/v1/machines/", "no path ends in a slash"],
  ])(
    "answers the unknown route %s in the specification's words, and says what is right",
    async (path, advice) => {
      const { status, text } = await send(await createTestService(), "GET", path, {});
      const { error_code, message } = ErrorBody.parse(JSON.parse(text));
      expect([status, error_code]).toEqual([404, "route_not_found"]);
      expect(message).toBe(`there is no GET ${path}: ${advice}`);
    },
  );
});

describe("headers that are wrong", () => {
  it.each([
    ["alg none", async (service: TestService) => unsignedToken(service.deps.clock)],
    ["a wrong audience", (service: TestService) => service.identity.token({ aud: "another-service" })],
    ["a wrong issuer", (service: TestService) => service.identity.token({ iss: "https://elsewhere.test/" })],
    ["an expired one", (service: TestService) => service.identity.token({ exp: 1_700_000_000 })],
    ["one without exp", (service: TestService) => service.identity.token({ exp: null })],
    ["one that is not valid yet", (service: TestService) => service.identity.token({ nbf: 4_000_000_000 })],
    ["one without org_id", (service: TestService) => service.identity.token({ org_id: null })],
    ["one without sub", (service: TestService) => service.identity.token({ sub: null })],
    [
      "a sub with half a surrogate pair",
      (service: TestService) => service.identity.token({ sub: "user|\ud800" }),
    ],
    ["an org_id with a separator", (service: TestService) => service.identity.token({ org_id: "a#RUN#b" })],
    ["one signed by another key", (service: TestService) => service.identity.forgedToken()],
    ["one changed", async (service: TestService) => (await service.identity.token()).replace(/\.\w/, ".X")],
    ["no token at all", async () => `${secret}.${secret}`],
    ["10 KB", async () => secret.repeat(600)],
  ])("answers 401 to a token with %s, and never logs it", async (_what, makeToken) => {
    const service = await createTestService();
    const token = await makeToken(service);
    const { status, text } = await send(service, "GET", "/v1/machines", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([status, ErrorBody.parse(JSON.parse(text)).error_code]).toEqual([401, "invalid_credentials"]);
    expect(service.log.text()).not.toContain(token);
  });

  it.each([
    [
      "an API key with one letter changed",
      (key: string) => `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`,
    ],
    ["an API key in capitals", (key: string) => key.toUpperCase()],
    ["two keys", (key: string) => `${key} ${key}`],
    ["another scheme", (key: string) => key.replace("Bearer", "Basic")],
  ])("answers 401 to %s", async (_what, change) => {
    const service = await createTestService();
    const { status, text } = await send(service, "GET", "/v1/machines", {
      headers: { authorization: change(service.authorize()) },
    });
    expect([status, JSON.parse(text).error_code]).toEqual([401, "invalid_credentials"]);
  });

  it.each(["", "Bearer", "Bearer "])("takes %j for no credentials: 403", async (authorization) => {
    const { status, text } = await send(await createTestService(), "GET", "/v1/machines", {
      headers: { authorization },
    });
    expect([status, JSON.parse(text).error_code]).toEqual([403, "missing_credentials"]);
  });

  it.each(["", "x".repeat(256), "tab\there"])("answers 422 to the Idempotency-Key %j", async (key) => {
    const service = await createTestService();
    const { status, text } = await send(
      service,
      "DELETE",
      `/v1/machines/${(await service.putMachine()).id}`,
      {
        headers: { "idempotency-key": key },
      },
    );
    expect(status).toBe(422);
    expect(JSON.parse(text)).toMatchObject({ detail: [{ loc: ["header", "Idempotency-Key"] }] });
  });
});
