import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../../infra/keys/create-api-key.ts";
import { runKeys } from "../../../infra/keys/run-keys.ts";
import type { OpenedTable } from "../../../infra/operator/open-table.ts";
import { CachedKeyVerifier } from "../../../shared/secrets/cached-key-verifier.ts";
import { DynamoApiKeyStore } from "../../../shared/storage/access/dynamo-api-key-store.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

const table = useTable();
const target = { kind: "local" } as const;

function opened(): OpenedTable {
  // The command only sends with it.
  return { client: table().client as OpenedTable["client"], tableName: table().tableName };
}

function verify(text: string) {
  const clock = new FakeClock();
  return new CachedKeyVerifier({
    apiKeys: new DynamoApiKeyStore({ table: table().at(clock), clock }),
    clock,
  }).verify(text);
}

describe("the keys command", () => {
  it("makes a key that works, shows it once and lists it without its secret", async () => {
    const organizationId = anOrganization();
    const userId = randomUUID();
    const create = {
      kind: "create",
      target,
      organizationId,
      scopes: ["driver"],
      name: "desk",
      userId,
    } as const;
    const made = await runKeys(create, opened());
    const [text = ""] = made.out;
    expect(made.out).toHaveLength(1);
    const key = await verify(text);
    expect(key).toMatchObject({ organizationId, userId, scopes: ["driver"], name: "desk", revokedAt: null });
    expect(made.err.join()).not.toContain(text);
    const listed = await runKeys({ kind: "list", target, organizationId }, opened());
    const used = `used ${new Date(new FakeClock().now()).toISOString().slice(0, 13)}`;
    expect(listed.out).toEqual([[key?.id, key?.createdAt, "active", used, "driver", "desk"].join("\t")]);
  });

  it("revokes a key, and says when it is unknown", async () => {
    const organizationId = anOrganization();
    const made = await createApiKey({ ...opened(), organizationId, scopes: ["read"], name: "" });
    const revoked = await runKeys({ kind: "revoke", target, keyId: made.keyId }, opened());
    expect(revoked.out.join()).toContain(`revoked ${made.keyId}`);
    expect(await verify(made.key)).toBeUndefined();
    const listed = await runKeys({ kind: "list", target, organizationId }, opened());
    expect(listed.out.join()).toContain("revoked");
    const unknown = runKeys({ kind: "revoke", target, keyId: "0".repeat(32) }, opened());
    await expect(unknown).rejects.toThrow(/^there is no key 0{32}$/);
  });
});
