import { randomUUID } from "node:crypto";
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { SecretsManagerSecretStore } from "../../../shared/secrets/secrets-manager-secret-store.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { testTableId } from "../../support/fakes/in-memory-file-store.ts";
import { InMemorySecretStore } from "../../support/fakes/in-memory-secret-store.ts";
import { secretStoreSuite } from "../../support/ports/secret-store.suite.ts";

secretStoreSuite(() => {
  const clock = new FakeClock();
  const store = new InMemorySecretStore(clock);
  return {
    store,
    tableId: testTableId,
    createElsewhere: async (name) => {
      store.tableId = "another-table";
      await store.create(name, {});
      store.tableId = testTableId;
    },
    stored: async (name) => {
      const values = store.values(name);
      return values && JSON.stringify(values);
    },
    advance: (ms) => clock.advance(ms),
    nowMs: () => clock.now(),
  };
});

it("has each secret encrypted by the key that the deployment names, and tagged with the table", async () => {
  const inputs: unknown[] = [];
  const client = { send: async ({ input }: { input: unknown }) => inputs.push(input) };
  const store = new SecretsManagerSecretStore({
    client: client as unknown as SecretsManagerClient,
    deployment: "test",
    tableId: async () => "table-1",
    kmsKeyId: "arn:aws:kms:key",
  });
  const owner = { kind: "machine", id: randomUUID() } as const;
  await store.create(store.secretName(organizationIdOf("org_1"), owner, randomUUID()), { a: "1" });
  expect(inputs).toMatchObject([{ KmsKeyId: "arn:aws:kms:key", Tags: [{ Key: "table", Value: "table-1" }] }]);
});
