import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../shared/contract/errors.ts";
import { type SpawnedDriver, spawnDriver } from "../support/stack/spawn-driver.ts";
import {
  type ApiRequest,
  ask,
  control,
  createOrganization,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";

/** A secret in every body below that could have one: it must be in no response and in no log line. */
const secret = `s3cret-${randomUUID()}`;

let organization: Organization;
let key: string;
let machineId: string;
let driver: SpawnedDriver;
/** Credentials that were sent, valid and invalid ones. */
const sent: string[] = [];

beforeAll(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
  driver = await spawnDriver({
    websocketUrl: inject("stack").websocketUrl,
    key: keyOf(organization, "driver"),
  });
  machineId = driver.machineId;
  sent.push(...Object.values(organization.api_keys), organization.jwt);
});
afterAll(async () => {
  await driver?.stop();
});

/** Sends a request, by default with a valid key, and checks what must hold for every response. */
async function send(path: string, request: ApiRequest = {}) {
  const answer = await ask<unknown>(path.replace("{id}", machineId), { key, ...request });
  expect(answer.status).not.toBe(500);
  expect(new TextDecoder().decode(answer.bytes)).not.toContain(secret);
  return answer;
}

const patch = (text: string, headers: Readonly<Record<string, string>> = {}): ApiRequest => ({
  method: "PATCH",
  text,
  headers,
});
const patchJson = (body: unknown) => patch(JSON.stringify(body));

describe("a body", () => {
  it.each<[string, string, ApiRequest, readonly unknown[], string]>([
    ["of broken JSON", "/v1/machines/{id}", patch('{"name": '), ["body", 9], "json_invalid"],
    [
      "of broken JSON with a secret",
      "/v1/machines/{id}",
      patch(`{"machine_sensitive_parameters": {"pin": "${secret}}`),
      ["body", 41],
      "json_invalid",
    ],
    [
      "of another content type",
      "/v1/machines/{id}",
      patch(`name=${secret}`, { "content-type": "application/x-www-form-urlencoded" }),
      ["header", "content-type"],
      "literal_error",
    ],
    [
      "with an unknown field",
      "/v1/machines/{id}",
      patchJson({ nick: secret }),
      ["body", "nick"],
      "extra_forbidden",
    ],
    ["with a number for text", "/v1/machines/{id}", patchJson({ name: 5 }), ["body", "name"], "string_type"],
    [
      "with text for a switch",
      "/v1/machines/{id}",
      patchJson({ is_available: "no" }),
      ["body", "is_available"],
      "bool_type",
    ],
    [
      "with null for text",
      "/v1/computer/{id}/input/keyboard/type",
      { body: { text: null } },
      ["body", "text"],
      "string_type",
    ],
    [
      "with a secret that is no text",
      "/v1/machines/{id}",
      patchJson({ machine_sensitive_parameters: { pin: [secret] } }),
      ["body", "machine_sensitive_parameters", "pin"],
      "string_type",
    ],
    ["that is a list", "/v1/machines/{id}", patchJson([]), ["body"], "dict_type"],
    ["that is missing", "/v1/machines", { method: "POST" }, ["body"], "missing"],
    [
      "with half a number of pixels",
      "/v1/computer/{id}/input/mouse/move",
      { body: { x: 1.5, y: 2 } },
      ["body", "x"],
      "int_from_float",
    ],
    [
      "with typed text that is too long",
      "/v1/computer/{id}/input/keyboard/type",
      { body: { text: secret.repeat(200) } },
      ["body", "text"],
      "string_too_long",
    ],
    [
      "with content that is no base64",
      "/v1/computer/{id}/fs/write",
      { body: { path: "a", content: `${secret}!` } },
      ["body", "content"],
      "bytes_invalid_encoding",
    ],
  ])("%s is 422 that names the place", async (_what, path, request, loc, type) => {
    const answer = await send(path, request);
    expect(answer.status).toBe(422);
    expect(ValidationErrorBody.parse(answer.body).detail).toMatchObject([{ loc, type }]);
  });

  it("over the operation's limit is 413 in the specification's words", async () => {
    const answer = await send("/v1/machines/{id}", patchJson({ name: "x".repeat(1_048_577) }));
    expect([answer.status, ErrorBody.parse(answer.body).error_code]).toEqual([413, "payload_too_large"]);
  });

  it.each([
    ["over what a function takes", 6_300_000],
    ["over what API Gateway takes", 10_485_761],
  ])("%s is API Gateway's own 413", async (_what, bytes) => {
    const answer = await send("/v1/machines/{id}", patch("x".repeat(bytes)));
    expect([answer.status, answer.body]).toEqual([413, { message: "Request Entity Too Large" }]);
  });
});

describe("a path or a query", () => {
  it.each([
    ["/v1/machines/7", ["path", "machine_id"], "uuid_parsing"],
    ["/v1/machines/%F0%9F%92%A9", ["path", "machine_id"], "uuid_parsing"],
    ["/v1/machines?limit=0", ["query", "limit"], "greater_than_equal"],
    ["/v1/machines?limit=1001", ["query", "limit"], "less_than_equal"],
    ["/v1/machines?limit=ten", ["query", "limit"], "int_parsing"],
    ["/v1/machines?limit=1&limit=2", ["query", "limit"], "string_type"],
    ["/v1/machines?skip=-1", ["query", "skip"], "greater_than_equal"],
    ["/v1/machines?include=runs", ["query", "include", 0], "literal_error"],
    ["/v1/machines?status=idle", ["query", "status"], "enum"],
    ["/v1/machines?created_at_from=today", ["query", "created_at_from"], "datetime_parsing"],
    ["/v1/machines?serach=x", ["query", "serach"], "extra_forbidden"],
  ])("%s is 422 that names the place", async (path, loc, type) => {
    const answer = await send(path);
    expect(answer.status).toBe(422);
    expect(ValidationErrorBody.parse(answer.body).detail).toMatchObject([{ loc, type }]);
  });

  it.each([
    ["GET", "/v1/machinery"],
    ["PUT", "/v1/machines"],
    ["GET", "/"],
    ["POST", "/v1/health"],
    ["OPTIONS", "/v1/machines"],
    ["GET", "/v1/machines/%00"],
    ["GET", "/v1/computer/..%2f..%2fv1%2fmachines/display/dimensions"],
  ])("%s %s that leads nowhere is 404 in the specification's words", async (method, path) => {
    const answer = await send(path, { method });
    expect([answer.status, ErrorBody.parse(answer.body).error_code]).toEqual([404, "route_not_found"]);
  });
});

describe("a header", () => {
  it("of 10 KB is API Gateway's own 431", async () => {
    const answer = await send("/v1/machines", { headers: { "x-large": "x".repeat(10_240) } });
    expect([answer.status, answer.body]).toEqual([431, { message: "Request Header Fields Too Large" }]);
  });

  it.each([
    ["empty", ""],
    ["of 256 characters", "k".repeat(256)],
    ["with a tab", "a\tb"],
    ["beyond ASCII", "clé"],
  ])("Idempotency-Key %s is 422", async (_what, idempotencyKey) => {
    const answer = await send("/v1/machines", {
      body: { fingerprint: randomUUID() },
      headers: { "idempotency-key": idempotencyKey },
    });
    expect(answer.status).toBe(422);
    expect(ValidationErrorBody.parse(answer.body).detail).toMatchObject([
      { loc: ["header", "Idempotency-Key"], type: "string_pattern_mismatch" },
    ]);
    expect((await ask("/v1/machines?limit=1", { key })).body.total).toBe(1);
  });
});

describe("credentials", () => {
  it.each([
    "alg_none",
    "hmac_with_public_key",
    "other_key",
    "expired",
    "not_yet_valid",
    "wrong_audience",
    "wrong_issuer",
    "without_organization",
    "without_subject",
  ])("that are a token with the flaw %s are 401", async (flaw) => {
    const { token } = await control<{ token: string }>("/tokens", {
      organization_id: organization.organization_id,
      flaw,
    });
    sent.push(token);
    const answer = await send("/v1/machines", { key: token });
    expect([answer.status, ErrorBody.parse(answer.body).error_code]).toEqual([401, "invalid_credentials"]);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  });

  it("that are a token without a flaw are taken", async () => {
    const { token } = await control<{ token: string }>("/tokens", {
      organization_id: organization.organization_id,
    });
    sent.push(token);
    expect((await send("/v1/machines", { key: token })).status).toBe(200);
  });

  it.each([
    ["id", 10],
    ["secret", 50],
    ["checksum", -1],
  ])("that are a key with one letter of its %s changed are 401", async (_part, place) => {
    const at = place < 0 ? key.length + place : place;
    const changed = `${key.slice(0, at)}${key[at] === "0" ? "1" : "0"}${key.slice(at + 1)}`;
    sent.push(changed);
    const answer = await send("/v1/machines", { key: changed });
    expect([answer.status, ErrorBody.parse(answer.body).error_code]).toEqual([401, "invalid_credentials"]);
  });

  it.each(["Basic dTpw", "Bearer a b", "das_"])("%j are 401", async (authorization) => {
    const answer = await send("/v1/machines", { key: undefined, headers: { authorization } });
    expect([answer.status, ErrorBody.parse(answer.body).error_code]).toEqual([401, "invalid_credentials"]);
  });

  it("that are an empty Bearer are none: 403", async () => {
    const answer = await send("/v1/machines", { key: undefined, headers: { authorization: "Bearer " } });
    expect([answer.status, ErrorBody.parse(answer.body).error_code]).toEqual([403, "missing_credentials"]);
  });
});

describe("what is secret", () => {
  it("is in no line of any log, for requests that were taken as little as for refused ones", async () => {
    const computer = `/v1/computer/{id}`;
    const answers = [
      await send("/v1/machines/{id}", patchJson({ machine_sensitive_parameters: { pin: secret } })),
      await send(`${computer}/input/keyboard/type`, { body: { text: secret } }),
      await send(`${computer}/fs/write`, {
        body: { path: "note.txt", content: Buffer.from(secret).toString("base64") },
      }),
      await ask(`${computer.replace("{id}", machineId)}/shell/exec`, {
        key,
        body: { command: `echo ${secret}` },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const token = await ask<{ desktopToken: string }>("/api/driver/connection-token", {
      key: organization.jwt,
      body: { remotePeerId: "peer" },
    });
    sent.push(token.body.desktopToken);
    // The last lines are still on their way to the file.
    await pause(500);
    const log = await readFile(inject("stack").logFile, "utf8");
    expect(log).toContain(machineId);
    const forbidden = [secret, Buffer.from(secret).toString("base64"), ...sent];
    expect(forbidden.filter((text) => log.includes(text))).toEqual([]);
    expect(driver.log()).toContain("connected");
    expect(forbidden.filter((text) => driver.log().includes(text))).toEqual([]);
  });
});
