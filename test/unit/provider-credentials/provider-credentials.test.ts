import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  createProviderCredentialsApp,
  type ProviderCredentialsDeps,
} from "../../../functions/provider-credentials/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { ProviderCredential, ValidatedCredential } from "../../../shared/contract/provider-credential.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { KeyCheck } from "../../../shared/domain/provider/validate-provider-credential.ts";
import { createTestService, sending } from "../../support/shared/test-service.ts";

const apiKey = { auth_type: "api_key", api_key: "sk-test-0123456789-wxyz" };
const serviceAccount = {
  type: "service_account",
  project_id: "project-1",
  client_email: "robot@project-1.iam.example",
  private_key: "-----BEGIN PRIVATE KEY-----",
};

async function setUp(changed: Partial<Pick<ProviderCredentialsDeps, "keyChecker">> = {}) {
  const service = await createTestService();
  const app = createProviderCredentialsApp({ ...service.deps, ...changed });
  const { providerCredentials } = service.stores;
  const ask = sending(app, service.authorize(), "/v1/provider-credentials");
  const slotOf = async (answer: Response | Promise<Response>) =>
    ProviderCredential.parse(await (await answer).json());
  const validated = async (answer: Response | Promise<Response>) =>
    ValidatedCredential.parse(await (await answer).json());
  return { ...service, app, ask, slotOf, validated, providerCredentials };
}

describe("GET /v1/provider-credentials", () => {
  it("answers the four slots, the platform's keys while none was ever configured", async () => {
    const { ask } = await setUp();
    const slots = z.array(ProviderCredential).parse(await (await ask("GET", "")).json());
    expect(slots.map(({ slot, source, status }) => [slot, source, status])).toEqual([
      ["anthropic", "platform", null],
      ["openai", "platform", null],
      ["google", "platform", null],
      ["aws_bedrock", "platform", null],
    ]);
    expect(slots[2]?.covered_providers).toEqual(["google", "google_vertex"]);
  });

  it("answers 422 for a slot that there is none of", async () => {
    const { ask } = await setUp();
    const answer = await ask("GET", "/mistral");
    expect(answer.status).toBe(422);
    expect(ValidationErrorBody.parse(await answer.json()).detail[0]).toMatchObject({
      loc: ["path", "slot"],
      type: "enum",
    });
  });
});

describe("PUT /v1/provider-credentials/{slot}", () => {
  it("keeps the key in the secret store and shows its last four characters", async () => {
    const { ask, slotOf, stores, log, organizationId, providerCredentials } = await setUp();
    const slot = await slotOf(ask("PUT", "/anthropic", apiKey));
    expect(slot).toMatchObject({
      source: "organization",
      status: "active",
      auth_type: "api_key",
      last_error: null,
      last_validated_at: null,
    });
    expect(slot.display_metadata).toEqual({
      key_last4: "wxyz",
      project_id: null,
      client_email: null,
      aws_region: null,
      access_key_id_last4: null,
    });
    const stored = await providerCredentials.find(organizationId, "anthropic");
    expect(stores.secrets.values(stored?.secretName ?? "")).toEqual({ api_key: apiKey.api_key });
    expect(JSON.stringify(stored)).not.toContain(apiKey.api_key);
    expect(log.text()).not.toContain(apiKey.api_key);
    expect(await slotOf(ask("GET", "/anthropic"))).toEqual(slot);
  });

  it.each([
    ["google", { auth_type: "service_account_json", service_account_json: serviceAccount }],
    ["google", { auth_type: "service_account_json", service_account_json: JSON.stringify(serviceAccount) }],
  ])("shows a service account's project and address, given as an object or as text", async (slot, body) => {
    const { ask, slotOf } = await setUp();
    const { display_metadata } = await slotOf(ask("PUT", `/${slot}`, body));
    expect(display_metadata).toMatchObject({
      project_id: "project-1",
      client_email: "robot@project-1.iam.example",
      key_last4: null,
    });
  });

  it("shows the Region and the last four characters of an access key id", async () => {
    const { ask, slotOf } = await setUp();
    const iam = {
      auth_type: "aws_iam",
      access_key_id: "AKIAEXAMPLEEXAMPLE12",
      secret_access_key: "a-secret-that-is-long-enough",
      aws_region: "eu-central-1",
    };
    const slot = await slotOf(ask("PUT", "/aws_bedrock", iam));
    expect(slot.display_metadata).toMatchObject({ aws_region: "eu-central-1", access_key_id_last4: "LE12" });
    expect(JSON.stringify(slot)).not.toContain("long-enough");
  });

  it("replaces the key before it, whose secret goes", async () => {
    const { ask, stores, organizationId, providerCredentials } = await setUp();
    await ask("PUT", "/openai", apiKey);
    const before = await providerCredentials.find(organizationId, "openai");
    await ask("PUT", "/openai", { ...apiKey, api_key: "sk-another-0123456789" });
    const after = await providerCredentials.find(organizationId, "openai");
    expect(after?.secretName).not.toBe(before?.secretName);
    expect(stores.secrets.values(before?.secretName ?? "")).toBeUndefined();
    expect(after?.createdAt).toBe(before?.createdAt);
  });

  it.each([
    ["anthropic", { auth_type: "aws_iam" }, ["body", "access_key_id"]],
    ["anthropic", { auth_type: "oauth", api_key: "x" }, ["body", "auth_type"]],
    [
      "openai",
      { auth_type: "aws_bedrock_api_key", api_key: apiKey.api_key, aws_region: "eu-west-1" },
      ["body", "auth_type"],
    ],
    ["openai", { auth_type: "api_key", api_key: "short" }, ["body", "api_key"]],
    ["openai", { ...apiKey, note: "x" }, ["body", "note"]],
    [
      "google",
      { auth_type: "service_account_json", service_account_json: "{}" },
      ["body", "service_account_json"],
    ],
    [
      "google",
      { auth_type: "service_account_json", service_account_json: "{" },
      ["body", "service_account_json"],
    ],
  ])("answers 422 to %s with %j", async (slot, body, loc) => {
    const { ask } = await setUp();
    const answer = await ask("PUT", `/${slot}`, body);
    expect(answer.status).toBe(422);
    const { detail } = ValidationErrorBody.parse(await answer.json());
    expect(detail.map((item) => item.loc)).toContainEqual(loc);
    expect(JSON.stringify(detail)).not.toContain("sk-");
  });
});

describe("DELETE /v1/provider-credentials/{slot}", () => {
  it("leaves the slot the organization's, missing, and nothing of the key", async () => {
    const { ask, slotOf, stores } = await setUp();
    await ask("PUT", "/openai", apiKey);
    const slot = await slotOf(ask("DELETE", "/openai"));
    expect(slot).toMatchObject({ source: "organization", status: "missing", auth_type: null });
    expect(slot.display_metadata.key_last4).toBeNull();
    expect(stores.secrets.names()).toEqual([]);
  });

  it("answers 200, unchanged, for one that is missing already", async () => {
    const { ask, slotOf } = await setUp();
    await ask("PUT", "/openai", apiKey);
    const first = await slotOf(ask("DELETE", "/openai"));
    expect(await slotOf(ask("DELETE", "/openai"))).toEqual(first);
    expect(await slotOf(ask("DELETE", "/openai", undefined, { "idempotency-key": "k" }))).toEqual(first);
  });

  it("answers 404 for a slot that was never configured", async () => {
    const { ask } = await setUp();
    const answer = await ask("DELETE", "/openai");
    expect([answer.status, ErrorBody.parse(await answer.json()).error_code]).toEqual([404, "not_found"]);
  });

  it("can be filled again", async () => {
    const { ask, slotOf } = await setUp();
    await ask("PUT", "/openai", apiKey);
    await ask("DELETE", "/openai");
    expect(await slotOf(ask("PUT", "/openai", apiKey))).toMatchObject({ status: "active" });
  });
});

describe("POST /v1/provider-credentials/{slot}/report-invalid", () => {
  const report = { last_error: "401: invalid x-api-key" };

  async function asWorker() {
    const world = await setUp();
    const authorization = world.authorize({ scopes: ["worker"] });
    const reported = (body: unknown, headers = {}) =>
      world.ask("POST", "/openai/report-invalid", body, { authorization, ...headers });
    return { ...world, reported };
  }

  it("makes the slot invalid, with what the provider said and when, and keeps the key", async () => {
    const { ask, slotOf, reported, stores } = await asWorker();
    const active = await slotOf(ask("PUT", "/openai", apiKey));
    const slot = await slotOf(reported({ ...report, activated_at: active.activated_at }));
    expect(slot).toEqual({
      ...active,
      ...report,
      status: "invalid",
      last_validated_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(slot.last_validated_at).toBe(slot.updated_at);
    expect(await slotOf(ask("GET", "/openai"))).toEqual(slot);
    expect(stores.secrets.names()).toHaveLength(1);
  });

  it("changes the error alone of one that is invalid already", async () => {
    const { ask, slotOf, reported, stores } = await asWorker();
    await ask("PUT", "/openai", apiKey);
    const first = await slotOf(reported(report));
    stores.clock.advance(1_000);
    const second = await slotOf(reported({ last_error: "403: no access" }));
    const { updated_at: _, ...unchanged } = first;
    expect(second).toMatchObject({ ...unchanged, last_error: "403: no access" });
  });

  it("is forgotten with a new key", async () => {
    const { ask, slotOf, reported } = await asWorker();
    await ask("PUT", "/openai", apiKey);
    await reported(report);
    const slot = await slotOf(ask("PUT", "/openai", { ...apiKey, api_key: "sk-another-0123456789" }));
    expect(slot).toMatchObject({ status: "active", last_error: null, last_validated_at: null });
  });

  it("answers 409 when the slot has a newer key than was tried, or none, and leaves it alone", async () => {
    const { ask, slotOf, reported, stores } = await asWorker();
    const old = await slotOf(ask("PUT", "/openai", apiKey));
    stores.clock.advance(1_000);
    const current = await slotOf(ask("PUT", "/openai", apiKey));
    const late = await reported({ ...report, activated_at: old.activated_at });
    expect([late.status, ErrorBody.parse(await late.json())]).toMatchObject([
      409,
      { error_code: "conflict", details: { activated_at: current.activated_at } },
    ]);
    expect(await slotOf(ask("GET", "/openai"))).toEqual(current);
    await ask("DELETE", "/openai");
    const none = await reported(report);
    expect([none.status, ErrorBody.parse(await none.json()).error_code]).toEqual([409, "conflict"]);
  });

  it("answers 404 for a slot that was never configured", async () => {
    const { reported } = await asWorker();
    const answer = await reported(report);
    expect([answer.status, ErrorBody.parse(await answer.json()).error_code]).toEqual([404, "not_found"]);
  });
});

describe("provider credentials", () => {
  it("of one organization are not another's", async () => {
    const { ask, app, authorize, slotOf } = await setUp();
    await ask("PUT", "/openai", apiKey);
    const authorization = authorize({ organizationId: organizationIdOf("org_other") });
    const answer = app.request("/v1/provider-credentials/openai", { headers: { authorization } });
    expect(await slotOf(answer)).toMatchObject({ source: "platform", status: null });
  });
});

describe("POST /v1/provider-credentials/{slot}/validate", () => {
  const validating = (check: () => KeyCheck | Promise<KeyCheck>) =>
    setUp({ keyChecker: { check: async () => await check() } });

  it("shows the key to the provider alone, and a good one is active", async () => {
    const service = await setUp({
      keyChecker: {
        check: async (slot, key) => {
          expect([slot, key]).toEqual(["openai", { authType: "api_key", apiKey: apiKey.api_key }]);
          return { kind: "accepted" };
        },
      },
    });
    const { ask, slotOf, validated, stores } = service;
    const before = await slotOf(ask("PUT", "/openai", apiKey));
    await service.app.request("/v1/provider-credentials/openai/report-invalid", {
      method: "POST",
      headers: {
        authorization: service.authorize({ scopes: ["worker"] }),
        "content-type": "application/json",
      },
      body: JSON.stringify({ last_error: "401" }),
    });
    stores.clock.advance(1_000);
    const now = new Date(stores.clock.now()).toISOString();
    const { ok, checks, credential, ...after } = await validated(ask("POST", "/openai/validate"));
    expect(after).toEqual({ ...before, last_validated_at: now, updated_at: now });
    expect(after).toEqual(await slotOf(ask("GET", "/openai")));
    expect([ok, credential, checks]).toEqual([
      true,
      after,
      [{ check: "list_models", label: expect.any(String), ok: true, error: null }],
    ]);
  });

  it("makes a refused one invalid, with the provider's words", async () => {
    const { ask, validated } = await validating(() => ({ kind: "refused", error: "invalid x-api-key" }));
    await ask("PUT", "/anthropic", apiKey);
    expect(await validated(ask("POST", "/anthropic/validate"))).toMatchObject({
      status: "invalid",
      last_error: "invalid x-api-key",
      last_validated_at: expect.any(String),
    });
  });

  it("leaves the state where it stays open, and says why", async () => {
    const { ask, validated } = await validating(() => ({ kind: "unknown", error: "overloaded" }));
    await ask("PUT", "/anthropic", apiKey);
    expect(await validated(ask("POST", "/anthropic/validate"))).toMatchObject({
      status: "active",
      last_error: "overloaded",
      last_validated_at: null,
      ok: false,
    });
  });

  it("asks a provider five times in ten minutes, so that it is no oracle for guessed keys", async () => {
    let asked = 0;
    const { ask, stores } = await validating(() => {
      asked += 1;
      return { kind: "refused", error: "no" };
    });
    const guess = async (slot: string) => {
      stores.clock.advance(1_000);
      await ask("PUT", `/${slot}`, apiKey);
      return (await ask("POST", `/${slot}/validate`)).status;
    };
    const statuses: number[] = [];
    for (let at = 0; at < 7; at += 1) statuses.push(await guess("openai"));
    expect([statuses, asked]).toEqual([[200, 200, 200, 200, 200, 429, 429], 5]);
    expect(await guess("anthropic")).toBe(200);
    stores.clock.advance(600_000);
    expect(await guess("openai")).toBe(200);
  });

  it("is 409 without a key: never configured, and deleted", async () => {
    const { ask } = await setUp();
    for (const arrange of [async () => {}, () => ask("PUT", "/google", apiKey)]) {
      await arrange();
      await ask("DELETE", "/google");
      const answer = await ask("POST", "/google/validate");
      expect([answer.status, ErrorBody.parse(await answer.json()).error_code]).toEqual([409, "conflict"]);
    }
  });

  it("says nothing of a key that was set while the provider was asked", async () => {
    let setAnother = async (): Promise<unknown> => undefined;
    const { ask, slotOf } = await validating(async () => {
      await setAnother();
      return { kind: "refused", error: "401" };
    });
    await ask("PUT", "/openai", apiKey);
    setAnother = async () => await ask("PUT", "/openai", { ...apiKey, api_key: "sk-another-0123456789" });
    expect((await ask("POST", "/openai/validate")).status).toBe(409);
    expect(await slotOf(ask("GET", "/openai"))).toMatchObject({ status: "active", last_error: null });
  });

  it("is answered again under its Idempotency-Key", async () => {
    let asked = 0;
    const { ask, slotOf, validated } = await validating(() => {
      asked += 1;
      return asked === 1 ? { kind: "accepted" } : { kind: "refused", error: "401" };
    });
    await ask("PUT", "/openai", apiKey);
    const validate = () =>
      validated(ask("POST", "/openai/validate", undefined, { "idempotency-key": "validate" }));
    expect(await validate()).toEqual(await validate());
    expect(await slotOf(ask("GET", "/openai"))).toMatchObject({ status: "active" });
  });
});
