import { describe, expect, it } from "vitest";
import { createProviderCredentialsApp } from "../../../functions/provider-credentials/app.ts";
import { ProviderCredential } from "../../../shared/contract/provider-credential.ts";
import type { FoundKey, ProviderKey } from "../../../shared/domain/model/provider-key.ts";
import { ownProviderKeys } from "../../../shared/domain/provider/own-provider-keys.ts";
import type { ProviderSlot } from "../../../shared/vocabulary/providers.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { createTestService } from "../../support/shared/test-service.ts";

const platformKey: ProviderKey = { authType: "api_key", apiKey: "the-platform's-own-key" };
const apiKey = { auth_type: "api_key", api_key: "sk-test-0123456789-wxyz" };

async function setUp({ platformTokensPerDay = 1_000 } = {}) {
  const service = await createTestService();
  const { deps, organizationId, authorize } = service;
  const app = createProviderCredentialsApp(deps);
  const authorization = authorize();
  const change = async (method: string, slot: ProviderSlot, body?: object) => {
    const response = await app.request(`/v1/provider-credentials/${slot}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return ProviderCredential.parse(await response.json());
  };
  const platformKeys = {
    find: async (slot: ProviderSlot) => (slot === "anthropic" ? platformKey : undefined),
  };
  const keys = ownProviderKeys({ ...deps, platformTokensPerDay, platformKeys });
  const find = (slot: ProviderSlot) => keys.find(organizationId, slot);
  const found = async (slot: ProviderSlot): Promise<FoundKey> => {
    const key = await find(slot);
    if (typeof key === "string") throw new Error(key);
    return key;
  };
  const statusOf = async (slot: ProviderSlot) => await deps.providerCredentials.find(organizationId, slot);
  return { ...service, change, keys, find, found, statusOf };
}

describe("the key of a slot", () => {
  it.each([
    ["anthropic", apiKey, { authType: "api_key", apiKey: apiKey.api_key }],
    [
      "aws_bedrock",
      { ...apiKey, auth_type: "aws_bedrock_api_key", aws_region: "eu-west-1" },
      { authType: "aws_bedrock_api_key", apiKey: apiKey.api_key, awsRegion: "eu-west-1" },
    ],
    [
      "aws_bedrock",
      {
        auth_type: "aws_iam",
        access_key_id: "AKIDEXAMPLE12345678",
        secret_access_key: "s".repeat(40),
        aws_region: "us-east-1",
      },
      {
        authType: "aws_iam",
        accessKeyId: "AKIDEXAMPLE12345678",
        secretAccessKey: "s".repeat(40),
        awsRegion: "us-east-1",
      },
    ],
  ] as const)("is the organization's own: %s %j", async (slot, body, key) => {
    const { change, find } = await setUp();
    const { activated_at: activatedAt } = await change("PUT", slot, body);
    expect(await find(slot)).toEqual({ slot, isPlatform: false, key, activatedAt });
  });

  it("is a service account's whole file", async () => {
    const { change, found } = await setUp();
    const file = { type: "service_account", project_id: "p", client_email: "a@b.c", private_key: "k" };
    const body = { auth_type: "service_account_json", service_account_json: JSON.stringify(file) };
    await change("PUT", "google", body);
    const serviceAccountJson = JSON.stringify(file);
    expect((await found("google")).key).toEqual({ authType: "service_account_json", serviceAccountJson });
  });

  it("is the platform's where none was ever set, if the operator has set one", async () => {
    const { find } = await setUp();
    const own = { slot: "anthropic", isPlatform: true, key: platformKey, activatedAt: null };
    expect(await find("anthropic")).toEqual(own);
    expect(await find("openai")).toBe("provider_key_missing");
    const none = await setUp({ platformTokensPerDay: 0 });
    expect(await none.find("anthropic")).toBe("provider_key_missing");
  });

  it("is missing once it is deleted: the platform's does not take its place", async () => {
    const { change, find } = await setUp();
    await change("PUT", "anthropic", apiKey);
    await change("DELETE", "anthropic");
    expect(await find("anthropic")).toBe("provider_key_missing");
  });
});

describe("a key that is asked for again", () => {
  it("is read once while its slot's row names the same secret", async () => {
    const { change, found, find, deps } = await setUp();
    let reads = 0;
    const { read } = deps.secrets;
    deps.secrets.read = async (name) => {
      reads += 1;
      return await read.call(deps.secrets, name);
    };
    const asked = async () => {
      reads = 0;
      const { key } = await found("anthropic");
      return { value: key.authType === "api_key" && key.apiKey, reads };
    };
    await change("PUT", "anthropic", apiKey);
    const value = apiKey.api_key;
    expect(await asked()).toEqual({ value, reads: 1 });
    expect(await asked()).toEqual({ value, reads: 0 });
    const newer = "sk-test-newer-0123456789";
    await change("PUT", "anthropic", { ...apiKey, api_key: newer });
    expect(await asked()).toEqual({ value: newer, reads: 1 });
    expect(await asked()).toEqual({ value: newer, reads: 0 });
    await change("DELETE", "anthropic");
    expect(await find("anthropic")).toBe("provider_key_missing");
  });
});

describe("a refused key", () => {
  it("makes its slot invalid, with the provider's words cut to a thousand characters", async () => {
    const { change, keys, found, find, statusOf, organizationId } = await setUp();
    await change("PUT", "anthropic", apiKey);
    await keys.reportInvalid({ organizationId, runId: "run" }, await found("anthropic"), "x".repeat(2_000));
    expect(await find("anthropic")).toBe("provider_key_invalid");
    expect(await statusOf("anthropic")).toMatchObject({ status: "invalid", lastError: "x".repeat(1_000) });
  });

  it("leaves a newer key alone, and one that is gone", async () => {
    const { change, keys, found, stores, statusOf, organizationId } = await setUp();
    await change("PUT", "anthropic", apiKey);
    const tried = await found("anthropic");
    stores.clock.advance(1_000);
    await change("PUT", "anthropic", { ...apiKey, api_key: "sk-test-newer-0123456789" });
    await keys.reportInvalid({ organizationId, runId: "run" }, tried, "401");
    expect(await statusOf("anthropic")).toMatchObject({ status: "active", lastError: null });
    await change("DELETE", "anthropic");
    await keys.reportInvalid({ organizationId, runId: "run" }, tried, "401");
    expect(await statusOf("anthropic")).toMatchObject({ status: "missing", lastError: null });
  });

  it("of the platform is an error in the log, without the key, and no slot of anybody's", async () => {
    const { keys, found, statusOf, log, organizationId } = await setUp();
    await keys.reportInvalid(
      { organizationId, runId: "run" },
      await found("anthropic"),
      "401: invalid x-api-key",
    );
    expect(await statusOf("anthropic")).toBeUndefined();
    expect(log.lines().filter(({ level }) => level === "error")).toMatchObject([
      { slot: "anthropic", provider_error: "401: invalid x-api-key" },
    ]);
    expect(log.text()).not.toContain(platformKey.apiKey);
  });
});

describe("the platform's own keys", () => {
  const usage = (inputTokens: number, outputTokens: number) => ({
    inputTokens,
    outputTokens,
    cachedTokens: 0,
  });

  it("are good for so many tokens a day and organization", async () => {
    const { keys, found, find, organizationId, stores } = await setUp();
    const key = await found("anthropic");
    await keys.spend(organizationId, key, usage(900, 99));
    expect(await find("anthropic")).toEqual(key);
    await keys.spend(organizationId, key, usage(1, 0));
    expect(await find("anthropic")).toBe("platform_budget_reached");
    expect(await keys.find(anOrganization(), "anthropic")).toEqual(key);
    stores.clock.advance(24 * 3_600_000);
    expect(await find("anthropic")).toEqual(key);
  });

  it("count calls at once, each of them, and none that used nothing or was paid by an own key", async () => {
    const { keys, found, change, organizationId, stores } = await setUp();
    const key = await found("anthropic");
    await Promise.all(Array.from({ length: 20 }, () => keys.spend(organizationId, key, usage(3, 2))));
    await keys.spend(organizationId, key, usage(0, 0));
    await change("PUT", "anthropic", apiKey);
    await keys.spend(organizationId, await found("anthropic"), usage(7, 7));
    const day = new Date(stores.clock.now()).toISOString().slice(0, 10);
    expect(await stores.platformTokens.used(organizationId, day)).toBe(100);
  });
});
