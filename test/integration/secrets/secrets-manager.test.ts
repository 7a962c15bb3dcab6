import { randomBytes, randomUUID } from "node:crypto";
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { createSigner } from "../../../shared/secrets/create-signer.ts";
import { SecretsManagerSecretStore } from "../../../shared/secrets/secrets-manager-secret-store.ts";
import { useAwsStandIn } from "../../support/aws-stand-in.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { secretStoreSuite } from "../../support/ports/secret-store.suite.ts";

const aws = useAwsStandIn();

function createClient(): SecretsManagerClient {
  const { url, region, admin } = aws();
  return new SecretsManagerClient({ endpoint: url, region, credentials: admin, maxAttempts: 1 });
}

const tableId = "table-1";

function storeOf(deployment: string, client = createClient(), of = tableId): SecretsManagerSecretStore {
  return new SecretsManagerSecretStore({ client, deployment, tableId: async () => of });
}

secretStoreSuite(() => {
  return {
    store: storeOf("test"),
    tableId,
    createElsewhere: async (name) => await storeOf("test", createClient(), "table-2").create(name, {}),
    stored: async (name) => {
      const secret = aws().secrets.find(name);
      return secret?.deletion ? undefined : secret?.versions[0]?.secretString;
    },
    // Moves what there is into the past, since the stand-in's clock is the real one.
    advance: (ms) => {
      for (const secret of aws().secrets.list()) {
        aws().secrets.put({ ...secret, createdAtMs: secret.createdAtMs - ms });
      }
    },
    nowMs: () => Date.now(),
  };
});

describe("the secret store on Secrets Manager", () => {
  it("lists hundreds of secrets, and none of another deployment", async () => {
    const client = createClient();
    const store = storeOf("many", client);
    const other = storeOf("many-more", client);
    const names = Array.from({ length: 130 }, () =>
      store.secretName(organizationIdOf("org"), { kind: "machine", id: randomUUID() }, randomUUID()),
    );
    for (const name of names) await store.create(name, {});
    await other.create(
      other.secretName(organizationIdOf("org"), { kind: "machine", id: randomUUID() }, randomUUID()),
      {},
    );
    const listed = async (cursor: string | null) =>
      await store.listOlderThan({ tableId, createdBeforeMs: Date.now() + 1_000, cursor });
    const first = await listed(null);
    const second = await listed(first.cursor ?? null);
    expect([...first.names, ...second.names].sort()).toEqual(names.sort());
    expect(second.cursor).toBeUndefined();
    // Secrets Manager forgets its cursors, which are then no reason to fail for ever.
    expect(await listed("forgotten")).toEqual({ names: [] });
  });

  it("touches no secret outside of its deployment", async () => {
    const store = storeOf("test");
    const foreign = `das/testing/org/machine/${randomUUID()}/${randomUUID()}`;
    await expect(store.create(foreign, {})).rejects.toThrow(/not this deployment's/);
    await expect(store.remove(foreign)).rejects.toThrow(/not this deployment's/);
  });

  it("becomes rate_limited when secrets are written too fast", async () => {
    const store = storeOf("test");
    aws().faults.inject({ operation: "CreateSecret", error: "ThrottlingException" });
    const name = store.secretName(
      organizationIdOf("org"),
      { kind: "machine", id: randomUUID() },
      randomUUID(),
    );
    const created = store.create(name, { a: "1" });
    await expect(created).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
  });

  it("becomes service_unavailable, with the reason for the alarm, when the account has no room for more", async () => {
    const store = storeOf("test");
    aws().faults.inject({ operation: "CreateSecret", error: "LimitExceededException" });
    const owner = { kind: "machine", id: randomUUID() } as const;
    const created = store.create(store.secretName(organizationIdOf("org"), owner, randomUUID()), { a: "1" });
    await expect(created).rejects.toMatchObject({
      code: "service_unavailable",
      retryAfterSeconds: 60,
      loggedCode: "secrets_full",
      cause: { name: "LimitExceededException" },
    });
  });
});

describe("the signing key in Secrets Manager", () => {
  it("signs and verifies through a rotation without a gap", async () => {
    const client = createClient();
    const secretId = `signing-${randomUUID()}`;
    const secretString = () => JSON.stringify({ key: randomBytes(32).toString("hex") });
    await client.send(new CreateSecretCommand({ Name: secretId, SecretString: secretString() }));
    const clock = new FakeClock();
    const [one, other] = [
      createSigner({ client, secretId, clock }),
      createSigner({ client, secretId, clock }),
    ];
    const before = await one.sign("ticket", "data");
    expect(await other.verify("ticket", "data", before)).toBe(true);
    await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: secretString() }));
    const fresh = createSigner({ client, secretId, clock });
    const after = await fresh.sign("ticket", "data");
    expect(after).not.toBe(before);
    expect(await one.verify("ticket", "data", after)).toBe(true);
    expect(await fresh.verify("ticket", "data", before)).toBe(true);
    expect(await one.verify("ticket", "data", before)).toBe(true);
  });
});
