import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { expect, it } from "vitest";
import { rotateDataKey } from "../../../infra/keys/rotate-data-key.ts";
import type { EncryptedPlace } from "../../../shared/domain/encryption.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { createEncryption } from "../../../shared/secrets/encryption/create-encryption.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

function secretOf(initial: string) {
  let value = initial;
  const client = {
    send: async ({ input }: { readonly input: { readonly SecretString?: string } }) => {
      if (input.SecretString !== undefined) value = input.SecretString;
      return { SecretString: value };
    },
  } as unknown as Pick<SecretsManagerClient, "send">;
  return { client, value: () => value };
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);
const at = (ms: number, oldestMs?: number) => ({
  nowMs: startMs + ms,
  oldestMs: oldestMs === undefined ? undefined : startMs + oldestMs,
});

it("rotates the data key: what the earlier one encrypted stays readable, and it encrypts no more", async () => {
  const { client, value } = secretOf(JSON.stringify({ key: "first".repeat(13) }));
  const organizationId = organizationIdOf("o");
  const place: EncryptedPlace = { organizationId, purpose: "idempotency-result", pk: "p", sk: "s" };
  const fresh = () => createEncryption({ client, secretId: "key", clock: new FakeClock() });
  const before = await fresh().encrypt(place, Buffer.from("text"));
  expect(await rotateDataKey(client, "key", at(0))).toBe(1);
  expect(await fresh().decrypt(place, before)).toEqual(Buffer.from("text"));
  const after = await fresh().encrypt(place, Buffer.from("text"));
  expect(Buffer.from(after).subarray(0, 6)).not.toEqual(Buffer.from(before).subarray(0, 6));
  expect(JSON.parse(value()).earlier).toEqual([
    { key: "first".repeat(13), until: "2026-01-01T00:00:00.000Z" },
  ]);

  await expect(rotateDataKey(client, "key", at(29 * minuteMs))).rejects.toThrow("nothing was done");
  expect(await rotateDataKey(client, "key", at(31 * minuteMs))).toBe(2);
});

it("removes a version that encrypted nothing for 35 days and that no run's values can need, with a day to spare", async () => {
  const keptAfter = async (ms: number, oldestMs?: number) => {
    const { client, value } = secretOf(JSON.stringify({ key: "first".repeat(13) }));
    await rotateDataKey(client, "key", at(0));
    await rotateDataKey(client, "key", at(ms, oldestMs));
    const { key, earlier } = JSON.parse(value()) as { key: string; earlier: readonly { key: string }[] };
    expect(earlier.map((each) => each.key)).not.toContain(key);
    return earlier.some((each) => each.key === "first".repeat(13));
  };
  expect(await keptAfter(36 * dayMs - 1)).toBe(true);
  expect(await keptAfter(36 * dayMs)).toBe(false);
  expect(await keptAfter(300 * dayMs, -dayMs)).toBe(true);
  expect(await keptAfter(300 * dayMs, dayMs - 1)).toBe(true);
  expect(await keptAfter(300 * dayMs, dayMs)).toBe(false);
});
